import { useLocation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { Icon } from './icon'
import { Spinner } from './spinner'

export type ToastKind = 'default' | 'success' | 'info' | 'error' | 'warning' | 'loading'
export type ToastMessage = {
	kind: ToastKind
	message: string
	/** Progress from 0 to 1; -1 when the total is unknown. Such a toast stays until the next one. */
	progress?: number
	/** How far it is, in words: `1.2 of 3.4 MB`. */
	detail?: string
}

const EVENT = 'khata:toast'

/** For scripts: shows a message without a new page. */
export function showToast(toast: ToastMessage): void {
	window.dispatchEvent(new CustomEvent<ToastMessage>(EVENT, { detail: toast }))
}

const isLasting = ({ kind, progress }: ToastMessage) => kind === 'error' || kind === 'warning' || progress !== undefined

/**
 * Top right, one at a time. It appears, fades and closes by CSS and the popover attribute, so it works without a script. Errors and
 * warnings stay until they are closed or the page changes.
 */
export function ToastRegion({ toast, isShell = false }: { toast?: ToastMessage; isShell?: boolean }) {
	const [live, setLive] = useState<ToastMessage & { count: number }>()
	const region = useRef<HTMLDivElement>(null)
	const { key } = useLocation()

	useEffect(() => {
		function show(event: Event) {
			const { detail } = event as CustomEvent<ToastMessage>
			setLive((last) => ({ ...detail, count: (last?.count ?? 0) + (last?.message === detail.message ? 0 : 1) }))
			// Above any open menu or dialog.
			if (detail.progress === undefined || detail.progress <= 0) {
				region.current?.hidePopover?.()
				region.current?.showPopover?.()
			}
		}
		window.addEventListener(EVENT, show)
		return () => window.removeEventListener(EVENT, show)
	}, [])
	// A download continues after a page change; any other toast belongs to its page.
	useEffect(() => setLive((last) => (last?.progress === undefined ? undefined : last)), [key])

	// The same text twice is two messages, and the second must appear too.
	const [served, setServed] = useState({ toast, count: 0 })
	if (served.toast !== toast) setServed({ toast, count: served.count + 1 })

	const shown = live ?? toast
	const isShown = shown !== undefined
	// Above a dialog too, which comes with the page or after it.
	useEffect(() => {
		if (!isShown) return
		region.current?.hidePopover?.()
		region.current?.showPopover?.()
	}, [isShown, served.count, key])
	const isUrgent = shown?.kind === 'error'
	const drawn = shown && <Toast key={live ? live.count : -served.count} toast={shown} isShell={isShell} />
	return (
		<div className="toasts" ref={region} {...{ popover: 'manual' }}>
			{/* Screen readers announce a status when an existing region changes, and an alert when it appears; an empty alert would be in the way. */}
			<div role="status">{!isUrgent && drawn}</div>
			{isUrgent && <div role="alert">{drawn}</div>}
		</div>
	)
}

function Toast({ toast, isShell }: { toast: ToastMessage; isShell: boolean }) {
	const { kind, message, progress, detail } = toast
	const time = isLasting(toast) ? '' : isShell ? 'toast-1' : 'toast-5'
	return (
		<div className={`toast tone-${kind} ${time}`}>
			{kind === 'loading' ? (
				<Spinner />
			) : (
				<Icon name={kind === 'success' ? 'done' : kind === 'error' || kind === 'warning' ? 'alert' : 'info'} />
			)}
			<div>
				{message}
				{detail && <span className="figure text-xs text-muted block">{detail}</span>}
				{progress !== undefined && <progress aria-label={message} value={progress < 0 ? undefined : progress} max={1} />}
			</div>
			{/* The button opens an empty popover, and a toast with an open popover in it is not drawn: a real button that needs no script. */}
			<button type="button" className="tool" {...{ popovertarget: 'toast-closed', popovertargetaction: 'show' }}>
				<Icon name="close" />
				<span className="sr-only">Close message</span>
			</button>
			<span id="toast-closed" {...{ popover: 'manual' }} />
		</div>
	)
}
