import { Banner } from './banner'
import { type FailureNotice } from './failed'
import { TryAgain } from './page-problem'
import { SupportLine } from './support-line'

/** In place of what a page is about, when its call failed. `what` is the subject of a sentence. */
export function FailedBanner({ what, failure }: { what: string; failure: FailureNotice }) {
	return (
		<Banner kind="error">
			<p>
				<b>{what} could not be loaded.</b> {failure.message}
			</p>
			<TryAgain reference={failure.reference} />
			<SupportLine />
		</Banner>
	)
}
