import { Outlet, useLocation, useMatches } from '@remix-run/react'
import { Tabs, WithTabs } from '~/components/tabs'

const PAGES = [
	{ href: '/connect/ipo', label: 'Live' },
	{ href: '/connect/ipo?condition=upcoming', label: 'Upcoming' },
	{ href: '/connect/ipo/bids', label: 'Bid report' },
]

/** The data that the page of an issue has loaded. */
type Shown = { issue?: { status: string } } | undefined

/**
 * The tabs of the IPO pages. Two of the three have the same path with a different query. The page of an issue belongs to the list that
 * has the issue.
 */
export default function Ipo() {
	const { pathname, search } = useLocation()
	const isOfUpcoming = useMatches().some(({ data }) => (data as Shown)?.issue?.status === 'UPCOMING')
	const isList = pathname.replace(/\/$/, '') === '/connect/ipo'
	const isUpcoming = isList ? new URLSearchParams(search).get('condition') === 'upcoming' : isOfUpcoming
	const current = pathname.startsWith('/connect/ipo/bids') ? 2 : isUpcoming ? 1 : 0
	const tabs = PAGES.map((page, at) => ({
		...page,
		current: at === current && (isList || at === 2 ? ('page' as const) : ('true' as const)),
	}))
	return (
		<WithTabs tabs={<Tabs label="IPO" tabs={tabs} />}>
			<Outlet />
		</WithTabs>
	)
}
