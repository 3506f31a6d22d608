import { Box } from './box'
import { Failed, type FailureNotice } from './failed'
import { FailureBanner, useIsSaidAbove } from './failed-parts'

/** In place of what a page is about, when its call failed. `what` is the subject of a sentence. A banner above may say the reason already. */
export function FailedBanner({ what, failure }: { what: string; failure: FailureNotice }) {
	if (!useIsSaidAbove(failure)) return <FailureBanner what={what} failure={failure} />
	return (
		<Box>
			<Failed what={what} failure={failure} />
		</Box>
	)
}
