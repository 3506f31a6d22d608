import { Banner } from './banner'

export const RESTORED = 'Your session had ended before this was sent. What you typed is still here; nothing was changed.'

/** Stands above a form that is filled in with what waits for its OTP. `href`: the page of the OTP. */
export function WaitingOtpNotice({ href }: { href: string }) {
	return (
		<Banner kind="info">
			An OTP was sent for what is filled in below. <a href={href}>Enter the OTP</a>
		</Banner>
	)
}

/** Stands above a form that was restored with what was typed before the session ended. */
export function RestoredFormNotice() {
	return <Banner kind="info">{RESTORED}</Banner>
}
