import { Banner } from './banner'

export const RESTORED = 'Your session had ended before this was sent. What you typed is still here; nothing was changed.'

/** Stands above a form that was restored with what was typed before the session ended. */
export function RestoredFormNotice() {
	return <Banner kind="info">{RESTORED}</Banner>
}
