/** A page that nobody touches gets its scripts after this time: only they end an idle session on the screen. */
const WAIT_MS = 10_000
/** A file is loaded without its progress when the scripts are not there in this time. */
const PATIENCE_MS = 5000

/** How the server marks what belongs to the scripts of such a page, so that no browser loads or runs it. */
export const HELD = { rel: 'later', type: 'text/plain' } as const

/** Told when React has taken over the page. */
export const LIVE = 'khata:live'

/** Whether the page of these routes is only read, and has no dialog with a form over it. */
export function isOnlyRead(handles: readonly unknown[], search: string): boolean {
	return (
		!new URLSearchParams(search).has('dialog') &&
		handles.some((handle) => (handle as { areScriptsLate?: boolean } | undefined)?.areScriptsLate)
	)
}

/**
 * Loads the scripts of a page that is only read at the first sign of a person, or after a while, so that they take no part of the line and
 * of the processor while the page is drawn (docs/decisions/031). A click on a file in the meantime is repeated when they are there, for its
 * progress and its messages.
 */
export function LateScripts({ nonce }: { nonce?: string }) {
	return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: STARTER }} />
}

const STARTER = import.meta.env.SSR
	? `(${startAtFirstSign})(${JSON.stringify({ ...HELD, live: LIVE, wait: WAIT_MS, patience: PATIENCE_MS })})`
	: ''

type Settings = { rel: string; type: string; live: string; wait: number; patience: number }

/** Sent to the browser as its own text: it may use only its arguments and what a browser has. */
function startAtFirstSign({ rel, type, live, wait, patience }: Settings) {
	const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown', 'focusin']
	const timer = setTimeout(() => start(), wait)
	let isStarted = false
	/** The file that was clicked last, until it is loaded one way or the other. */
	let asked: HTMLAnchorElement | undefined
	for (const sign of signs) addEventListener(sign, start, { passive: true })
	addEventListener('click', keep, true)
	addEventListener('pageshow', leaveMemory)
	addEventListener(live, () => {
		removeEventListener('click', keep, true)
		removeEventListener('pageshow', leaveMemory)
		asked?.click()
		asked = undefined
	})

	function start(event?: Event) {
		// A browser tells of the pointer's place once the page is drawn, though nobody moved it.
		if (event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY) return
		if (isStarted) return
		isStarted = true
		clearTimeout(timer)
		for (const sign of signs) removeEventListener(sign, start)
		for (const link of document.querySelectorAll<HTMLLinkElement>(`link[rel=${rel}]`)) link.rel = 'modulepreload'
		const held = document.querySelector<HTMLScriptElement>(`script[type="${type}"]`)
		if (!held) return
		const script = document.createElement('script')
		script.type = 'module'
		script.nonce = held.nonce
		script.text = held.text
		document.body.append(script)
	}

	function keep(event: MouseEvent) {
		const link = event.target instanceof Element ? event.target.closest('a') : null
		if (!link?.pathname.includes('/downloads/') || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
		event.preventDefault()
		start()
		if (!asked) setTimeout(loadPlainly, patience)
		asked = link
	}

	function loadPlainly() {
		if (asked) location.assign(asked.href)
		asked = undefined
	}

	// The back button may restore a page from memory whose session is over.
	function leaveMemory({ persisted }: PageTransitionEvent) {
		if (persisted) location.reload()
	}
}
