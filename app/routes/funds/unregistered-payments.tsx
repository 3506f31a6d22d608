import { type ComponentProps } from 'react'
import { Banner } from '~/components/banner'
import { DownloadLink } from '~/components/download-link'
import { Failed } from '~/components/failed'
import { type Listed, ReportList } from '~/components/list-table'
import { offerSearch, ReportToolbar } from '~/components/report-toolbar'
import { Section } from '~/components/section'

const STRANGERS = 'Payments from unregistered accounts'
export const STRANGERS_LIST = 'Your payments from unregistered accounts'

const ANCHOR = 'unregistered'

/** Above the form, because on a phone the table stands far below it. */
export function OnHold({ words, href = `#${ANCHOR}`, label = 'What to do' }: { words?: string; href?: string; label?: string }) {
	if (!words) return null
	return (
		<Banner kind="warning">
			{words} <a href={href}>{label}</a>
		</Banner>
	)
}

/** From 1280 px: keeps each head on one line, and gives the last column a width so that its text needs at most two lines. */
const ROOM = 'xl:[&_th]:whitespace-nowrap xl:[&_td:last-child]:min-w-36'

type Props = {
	strangers?: { table: Listed; search?: string; csv: string; empty: string }
	failure?: ComponentProps<typeof Failed>['failure']
}

/** Money from an account that is not registered, and what to do about it. */
export function UnregisteredPayments({ strangers, failure }: Props) {
	return (
		<Section title={STRANGERS} anchor={ANCHOR}>
			{strangers ? (
				<>
					{strangers.search !== undefined && (
						<ReportToolbar
							action="/funds"
							search={offerSearch(strangers.search, strangers.table)}
							table={strangers.table}
							files={<DownloadLink href={strangers.csv} label="CSV" type="UNREGISTERED PAYMENTS" flag="CSV" />}
						/>
					)}
					<ReportList table={strangers.table} look={ROOM} isCards empty={{ text: strangers.empty }} />
				</>
			) : (
				<Failed what={STRANGERS_LIST} failure={failure} />
			)}
		</Section>
	)
}
