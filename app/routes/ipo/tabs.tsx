import { Outlet, useLocation } from '@remix-run/react'
import { Fragment } from 'react'
import { TABS, WithTabs } from '~/components/tabs'

const PAGES = [
	{ href: '/connect/ipo', label: 'Live' },
	{ href: '/connect/ipo?condition=upcoming', label: 'Upcoming' },
	{ href: '/connect/ipo/bids', label: 'Bid report' },
]

/** Two of the three share one address with another query. */
export default function Ipo() {
	const { pathname, search } = useLocation()
	const isList = pathname.replace(/\/$/, '') === '/connect/ipo'
	const isUpcoming = new URLSearchParams(search).get('condition') === 'upcoming'
	const current = pathname.startsWith('/connect/ipo/bids') ? 2 : isList ? (isUpcoming ? 1 : 0) : undefined
	const tabs = (
		<nav className={TABS} aria-label="IPO">
			{PAGES.map(({ href, label }, at) => (
				<Fragment key={href}>
					<a href={href} className="tab" aria-current={at === current ? 'page' : undefined}>
						{label}
					</a>{' '}
				</Fragment>
			))}
		</nav>
	)
	return (
		<WithTabs tabs={tabs}>
			<Outlet />
		</WithTabs>
	)
}
