import { useLocation } from '@remix-run/react'
import { useIsSaidAbove } from './failed-parts'

/** `at`: when it failed, such as `11:00 on 20/11/2026`, in India. */
export type FailureNotice = { message: string; reference?: string; at?: string }

/** One part failed; the rest of the page stays. `Try again` loads the same address. Does not repeat a reason that FailedParts shows. */
export function Failed({ what, failure }: { what: string; failure?: FailureNotice }) {
	const { pathname, search } = useLocation()
	const isSaidAbove = useIsSaidAbove(failure)
	return (
		<div className="text-muted *:first:text-base-content py-2 not-last:mb-4">
			<p>
				{what} could not be loaded. {!isSaidAbove && failure?.message}
			</p>
			<p className="text-xs">
				<a href={pathname + search}>
					Try again<span className="sr-only">: {what}</span>
				</a>
				{!isSaidAbove && failure?.at && ` · Failed at ${failure.at} (IST)`}
				{!isSaidAbove && failure?.reference && ` · Reference ${failure.reference}`}
			</p>
		</div>
	)
}
