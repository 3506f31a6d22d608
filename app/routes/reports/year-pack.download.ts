import { type LoaderFunctionArgs } from '@remix-run/node'
import { formatYear } from '#contract/values/financial-year'
import { readBrand } from '~/config/brand.server'
import { failedFile, sendFile } from '~/http/download.server'
import { streamCsv } from '~/reports/csv.server'
import { listYearFiles, yearManifest } from '~/reports/year-files.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'
import { streamZip } from './year-pack.server'

/** Sends one zip of every statement of a year, with a manifest. It may take long and is never held in memory as a whole. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const year = readYear(request)
	try {
		const files = await listYearFiles(broker, year, readBrand().name)
		const body = streamZip(files, (entries) => streamCsv(yearManifest, [entries]), broker.reference)
		const response = await sendFile(request, { name: `${broker.clientCode}_YEAR_PACK_${formatYear(year)}`, kind: 'zip', body })
		// The number of files, with the manifest, for the progress display. A file that fails is left out of the zip.
		response.headers.set('x-files', String(files.length + 1))
		return response
	} catch (error) {
		return failedFile(request, error, '/reports/downloads')
	}
}
