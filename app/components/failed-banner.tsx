import { Box } from './box'
import { Failed, type FailureNotice } from './failed'
import { FailureBanner, useIsSaidAbove } from './failed-parts'

/**
 * Replaces the main content of a page when its call failed. `what` is the subject of a sentence. Leaves out the reason when a banner
 * above already shows it.
 */
export function FailedBanner({ what, failure }: { what: string; failure: FailureNotice }) {
	if (!useIsSaidAbove(failure)) return <FailureBanner what={what} failure={failure} />
	return (
		<Box>
			<Failed what={what} failure={failure} />
		</Box>
	)
}
