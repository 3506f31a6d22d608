/** A page without any input gets its scripts after this time, because only a script ends an idle session on the screen. */
const WAIT_MS = 10_000
/** A clicked file, or a chosen year, is loaded without scripts when these have not started in this time. */
const PATIENCE_MS = 5000

/** The attributes of the scripts and preload links of such a page in the HTML. With them no browser loads or runs the scripts. */
export const HELD = { rel: 'later', type: 'text/plain' } as const

/** The event sent when React has taken over the page. */
export const LIVE = 'khata:live'

/** True when the page of these routes is only read and has no dialog with a form over it. */
export function isOnlyRead(handles: readonly unknown[], search: string): boolean {
	return (
		!new URLSearchParams(search).has('dialog') &&
		handles.some((handle) => (handle as { areScriptsLate?: boolean } | undefined)?.areScriptsLate)
	)
}

/**
 * For a page that is only read: loads its scripts at the first input, or after 10 seconds. Until then they use no bandwidth and no
 * processor time, which the browser needs to draw the page (docs/decisions/031). A click on a file before that is repeated when the
 * scripts run, so that the client sees its progress and messages.
 */
export function LateScripts({ nonce }: { nonce?: string }) {
	return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: STARTER }} />
}

const STARTER = import.meta.env.SSR
	? `(${startAtFirstSign})(${JSON.stringify({ ...HELD, live: LIVE, wait: WAIT_MS, patience: PATIENCE_MS })})`
	: ''

type Settings = { rel: string; type: string; live: string; wait: number; patience: number }

/** The source text of this function is sent to the browser, so it may use only its arguments and the APIs of a browser. */
function startAtFirstSign({ rel, type, live, wait, patience }: Settings) {
	const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown', 'focusin', 'change']
	const timer = setTimeout(() => start(), wait)
	let isStarted = false
	/** The link to the file that was clicked last, until the download starts. */
	let asked: HTMLAnchorElement | undefined
	/** The form of the financial year, which has a button only without scripts, from a choice until the scripts run. */
	let chosen: HTMLFormElement | null = null
	for (const sign of signs) addEventListener(sign, start, { passive: true })
	addEventListener('click', keep, true)
	addEventListener('change', sendYear)
	addEventListener('pageshow', leaveMemory)
	addEventListener(live, () => {
		removeEventListener('click', keep, true)
		removeEventListener('change', sendYear)
		chosen = null
		removeEventListener('pageshow', leaveMemory)
		asked?.click()
		asked = undefined
	})

	function start(event?: Event) {
		// A browser sends this event once the page is drawn, even when nobody moved the pointer.
		if (event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY) return
		if (isStarted) return
		isStarted = true
		clearTimeout(timer)
		for (const sign of signs) removeEventListener(sign, start)
		load()
	}

	function load() {
		const held = document.querySelector<HTMLScriptElement>(`script[type="${type}"]`)
		// It, or a part of it, may still be on its way: only an element with something after it is whole. The event of the document's end
		// comes later, because it waits for the stylesheet too.
		if (!held?.nextSibling && document.readyState === 'loading') return void setTimeout(load, 50)
		if (!held) return
		for (const link of document.querySelectorAll<HTMLLinkElement>(`link[rel=${rel}]`)) link.rel = 'modulepreload'
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

	function sendYear({ target }: Event) {
		if (!(target instanceof HTMLSelectElement) || target.id !== 'year') return
		chosen = target.form
		setTimeout(() => chosen?.submit(), patience)
	}

	// The back button may restore a page from memory after its session has ended.
	function leaveMemory({ persisted }: PageTransitionEvent) {
		if (persisted) location.reload()
	}
}
