import { useRevalidator } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { useAuthenticityToken } from 'remix-utils/csrf/react'
import { goToLogin } from './to-login'

const WARNING_MS = 2 * 60_000
const TELL_SERVER_MS = 60_000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

/** The client of a tab, and when the session began (milliseconds since 1970). */
type Login = { code: string; since: number }

/**
 * Warns two minutes before the session ends. A mouse move, key or click in one tab counts for all tabs. The browser reports activity to
 * the server from time to time, because the server ends the session. A tab of an earlier client of this browser loads its page again: it
 * would show its own client's name above the money of the other.
 */
export function IdleNotice({ idleMs, client }: { idleMs: number; client: Login }) {
	const { isEnding, stay } = useIdle(idleMs, client)
	if (!isEnding) return null
	return (
		<div
			className="rounded-box border-line border-l-warning bg-base-100 [box-shadow:var(--shadow)] z-toast fixed right-4 bottom-4 grid w-[min(400px,100vw-2rem)] justify-items-start gap-3 border border-l-3 px-5 pt-4 pb-5"
			role="alert"
		>
			<p>You will be logged out in less than 2 minutes because of inactivity.</p>
			<button type="button" className="btn btn-primary" onClick={() => stay.current?.()}>
				Stay signed in
			</button>
		</div>
	)
}

function post(csrf: string, path: string, fields: Record<string, string> = {}) {
	const body = new URLSearchParams({ csrf, ...fields })
	// Does not follow a redirect: it would load the login page in the background, and nobody would see its message.
	return fetch(path, { method: 'POST', body, headers: { 'x-activity': '1' }, redirect: 'manual' }).catch(() => undefined)
}

async function tellServer(csrf: string) {
	const answer = await post(csrf, '/session/activity')
	if (answer?.status !== 401) return
	const said = (await answer.json().catch(() => ({}))) as { location?: string }
	if (said.location) goToLogin(said.location)
}

/** Logs out after `idleMs` without activity in any tab. `isEnding` is true shortly before that. */
function useIdle(idleMs: number, { code, since }: Login) {
	const csrf = useAuthenticityToken()
	const { revalidate } = useRevalidator()
	const [isEnding, setEnding] = useState(false)
	const stay = useRef<() => void>(undefined)

	useEffect(() => {
		const tabs = new BroadcastChannel('activity')
		const warning = Math.min(WARNING_MS, idleMs / 2)
		let last = Date.now()
		let told = last

		const tell = () => tabs.postMessage({ code, since })
		function move(isChosen = false) {
			const now = Date.now()
			if (now - last < 1000 && !isChosen) return
			// While the notice is open only its button counts: an accidental mouse move is not an answer.
			if (now - last > idleMs - warning && !isChosen) return
			last = now
			tell()
			if (!isChosen && now - told < Math.min(TELL_SERVER_MS, idleMs / 4)) return
			told = now
			void tellServer(csrf)
		}
		function check() {
			const quiet = Date.now() - last
			setEnding(quiet > idleMs - warning)
			if (quiet < idleMs) return
			clearInterval(timer)
			void post(csrf, '/logout', { reason: 'idle' }).then(() => goToLogin('/login?reason=idle'))
		}
		const onMove = () => move()
		stay.current = () => {
			move(true)
			setEnding(false)
		}
		tabs.onmessage = ({ data: other }: MessageEvent<Login>) => {
			if (other.code !== code) return other.since > since ? location.reload() : tell()
			// The same client logged in again: with a new token this page's forms work, and what was typed stays.
			if (other.since > since) revalidate()
			// Leaves `told` unchanged. Otherwise each of two tabs used in turn would wait for the other, and neither would tell the
			// server.
			last = Date.now()
			setEnding(false)
		}
		tell()
		for (const sign of SIGNS) window.addEventListener(sign, onMove, { passive: true })
		// The back button may restore a page from memory after its session has ended.
		const onRestored = ({ persisted }: PageTransitionEvent) => persisted && location.reload()
		window.addEventListener('pageshow', onRestored)
		const timer = setInterval(check, Math.min(5000, idleMs / 10))
		return () => {
			clearInterval(timer)
			for (const sign of SIGNS) window.removeEventListener(sign, onMove)
			window.removeEventListener('pageshow', onRestored)
			tabs.close()
		}
	}, [csrf, idleMs, code, since, revalidate])
	return { isEnding, stay }
}
