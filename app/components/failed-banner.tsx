import { Banner } from './banner'
import { Box } from './box'
import { Failed, type FailureNotice } from './failed'
import { useIsSaidAbove } from './failed-parts'
import { TryAgain } from './page-problem'
import { SupportLine } from './support-line'

/** In place of what a page is about, when its call failed. `what` is the subject of a sentence. A banner above may say the reason already. */
export function FailedBanner({ what, failure }: { what: string; failure: FailureNotice }) {
	if (useIsSaidAbove(failure))
		return (
			<Box>
				<Failed what={what} failure={failure} />
			</Box>
		)
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
