import { useEffect, useState } from 'react'
import { Banner } from './banner'
import { goToLogin } from './to-login'

/** Long enough to finish a form. */
const WARNING_MS = 15 * 60_000

export type SessionLimit = {
	/** Milliseconds until the session reaches its maximum age. */
	endsInMs: number
	/** Time in India, such as `18:40`. */
	endsAt: string
	/** The maximum age of a session, such as `12 hours`. */
	longest: string
}

/**
 * A session ends twelve hours after login, even when it is active. The page shows this notice in the last 15 minutes. One second after
 * the end a script opens the login page.
 */
export function LimitNotice({ endsInMs, endsAt, longest }: SessionLimit) {
	const [isNear, setNear] = useState(endsInMs <= WARNING_MS)
	useEffect(() => {
		setNear(endsInMs <= WARNING_MS)
		const warning = setTimeout(() => setNear(true), endsInMs - WARNING_MS)
		const end = setTimeout(() => goToLogin('/login?reason=limit'), endsInMs + 1000)
		return () => {
			clearTimeout(warning)
			clearTimeout(end)
		}
	}, [endsInMs])
	if (!isNear) return null
	return (
		<Banner kind="warning">
			You will be logged out at {endsAt} IST, {longest} after you logged in. Finish what you are doing before then.
		</Banner>
	)
}
