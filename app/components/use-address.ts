import { useLocation } from '@remix-run/react'
import { withIsoDays } from '~/lib/typed-days'

/** The address of this page, for links back to it. A form without a script sends days as they were typed; a link has ISO days. */
export function useAddress() {
	const { pathname, search } = useLocation()
	const query = withIsoDays(search)
	const text = query.toString()
	return { pathname, query, address: text ? `${pathname}?${text}` : pathname }
}
