import { Outlet } from '@remix-run/react'
import { Tabs, WithTabs } from '~/components/tabs'

const TABS = [
	{ href: '/myaccount', label: 'Profile', also: ['/myaccount/mobile', '/myaccount/email'] },
	{ href: '/myaccount/bank', label: 'Bank' },
	{ href: '/myaccount/segments', label: 'Segments' },
	{ href: '/myaccount/nominee', label: 'Nominee' },
	{ href: '/myaccount/income', label: 'Income' },
	{ href: '/myaccount/closure', label: 'Closure' },
	{ href: '/myaccount/requests', label: 'Requests' },
]

export default function Account() {
	return (
		<WithTabs tabs={<Tabs label="My Account" tabs={TABS} />}>
			<Outlet />
		</WithTabs>
	)
}
