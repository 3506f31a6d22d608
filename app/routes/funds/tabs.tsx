import { Outlet } from '@remix-run/react'
import { Tabs, WithTabs } from '~/components/tabs'

const TABS = [
	{ href: '/funds', label: 'Add funds', also: ['/funds/return'] },
	{ href: '/funds/withdraw', label: 'Withdraw', also: ['/funds/payout'] },
	{ href: '/funds/e-mandate', label: 'E-mandate' },
	{ href: '/funds/history', label: 'History' },
]

export default function Funds() {
	return (
		<WithTabs tabs={<Tabs label="Funds" tabs={TABS} />}>
			<Outlet />
		</WithTabs>
	)
}
