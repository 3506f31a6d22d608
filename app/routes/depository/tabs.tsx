import { Outlet } from '@remix-run/react'
import { Tabs, WithTabs } from '~/components/tabs'

const TABS = [
	{ href: '/dpprocess', label: 'Stock verification', also: ['/dpprocess/otp'] },
	{ href: '/dpprocess/pledge', label: 'Margin pledge' },
	{ href: '/dpprocess/ddpi', label: 'DDPI' },
]

export default function Depository() {
	return (
		<WithTabs tabs={<Tabs label="DP Process" tabs={TABS} />}>
			<Outlet />
		</WithTabs>
	)
}
