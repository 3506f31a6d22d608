import { type ComponentProps } from 'react'
import { DownloadLink } from '~/components/download-link'
import { Failed, type FailureNotice } from '~/components/failed'
import { type Listed, ReportList } from '~/components/list-table'
import { Toolbar } from '~/components/report-toolbar'
import { Section } from '~/components/section'
import { tellNoMatch } from '~/lib/no-match'

type Props = {
	title: string
	/** The id, for links to this section. */
	anchor?: string
	/** What could not be loaded, as the beginning of a sentence. */
	what: string
	/** Undefined when it could not be loaded. */
	list: Listed | undefined
	failure: FailureNotice | undefined
	file: Pick<ComponentProps<typeof DownloadLink>, 'href' | 'label' | 'type'>
	/** What was searched for. */
	q: string | undefined
	/** The text shown when the client has none. */
	none: string
}

/** A list of requests below their form, with its file. */
export function ListSection({ title, anchor, what, list, failure, file, q, none }: Props) {
	return (
		<Section title={title} anchor={anchor}>
			{list ? (
				<>
					{list.paging.total > 0 && <Toolbar hasForm={false} isBesideHeading table={list} files={<DownloadLink {...file} flag="CSV" />} />}
					<ReportList table={list} look="[&_th>a]:whitespace-nowrap" empty={{ text: q ? tellNoMatch(q) : none }} />
				</>
			) : (
				<Failed what={what} failure={failure} />
			)}
		</Section>
	)
}
