import { useLocation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { type ToastKind } from '~/lib/toast-kind'
import { Icon } from './icon'
import { Spinner } from './spinner'

export type ToastMessage = {
	kind: ToastKind
	message: string
	/** Progress from 0 to 1; -1 when the total is unknown. Such a toast stays until the next one. */
	progress?: number
	/** How far it is, in words: `1.2 of 3.4 MB`. */
	detail?: string
	/** It is about the form that was just sent, so it stays when the reply to that form gives the page another key. */
	survives?: boolean
}

/** The left edge of a message, and its icon. */
const TONES: Record<ToastKind, string> = {
	default: 'border-l-info',
	loading: 'border-l-info',
	info: 'border-l-info',
	success: 'border-l-success',
	warning: 'border-l-warning',
	error: 'border-l-error',
}
const INKS: Record<ToastKind, string> = {
	default: 'text-info',
	loading: 'text-info',
	info: 'text-info',
	success: 'text-success',
	warning: 'text-warning',
	error: 'text-error',
}

/** A message disappears after one second, or after five on a page without the shell; not while the pointer or the focus is on it. */
const FADES = 'hover:[animation-play-state:paused] focus-within:[animation-play-state:paused]'

const EVENT = 'khata:toast'

/** For scripts: shows a message without a new page. */
export function showToast(toast: ToastMessage): void {
	window.dispatchEvent(new CustomEvent<ToastMessage>(EVENT, { detail: toast }))
}

const isLasting = ({ kind, progress }: ToastMessage) => kind === 'error' || kind === 'warning' || progress !== undefined

/**
 * Top right, one at a time; below the header of the shell, which it must not cover. It appears, fades and closes by CSS and the popover
 * attribute, so it works without a script. Errors and warnings stay until they are closed or the page changes.
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
	useEffect(() => {
		setLive((last) => (last?.survives ? { ...last, survives: false } : last?.progress === undefined ? undefined : last))
	}, [key])

	// The same text twice is two messages, and the second must appear too.
	const [served, setServed] = useState({ toast, count: 0 })
	if (served.toast !== toast) setServed({ toast, count: served.count + 1 })

	const shown = live ?? toast
	const isShown = shown !== undefined
	// Moves the toast above a dialog too, which may open with the page or after it.
	useEffect(() => {
		if (!isShown) return
		region.current?.hidePopover?.()
		region.current?.showPopover?.()
	}, [isShown, served.count, key])
	const isUrgent = shown?.kind === 'error'
	const drawn = shown && <Toast key={live ? live.count : -served.count} toast={shown} isShell={isShell} />
	return (
		<div
			className={`not-open:block z-toast pointer-events-none fixed ${isShell ? 'inset-[4.5rem_1rem_auto_auto]' : 'inset-[1rem_1rem_auto_auto]'} m-0 w-[min(360px,100vw-2rem)] overflow-visible border-0 bg-transparent p-0 text-inherit print:hidden`}
			ref={region}
			{...{ popover: 'manual' }}
		>
			{/* Screen readers announce a status when an existing region changes, and an alert when it appears; an empty alert would be in the way. */}
			<div role="status">{!isUrgent && drawn}</div>
			{isUrgent && <div role="alert">{drawn}</div>}
		</div>
	)
}

function Toast({ toast, isShell }: { toast: ToastMessage; isShell: boolean }) {
	const { kind, message, progress, detail } = toast
	const time = isLasting(toast)
		? ''
		: isShell
			? `${FADES} [animation:message-goes_0.16s_ease-in_1s_forwards]`
			: `${FADES} [animation:message-goes_0.16s_ease-in_5s_forwards]`
	return (
		<div
			className={`toast tone-${kind} ${TONES[kind]} ${time} rounded-box border-line bg-base-100 [box-shadow:var(--shadow)] pointer-events-auto flex items-start has-[:popover-open]:hidden gap-2.5 border border-l-3 py-1.5 pr-1.5 pl-3.5`}
		>
			{kind === 'loading' ? (
				<Spinner className="mt-2.75 text-info" />
			) : (
				<Icon
					name={kind === 'success' ? 'done' : kind === 'error' || kind === 'warning' ? 'alert' : 'info'}
					className={`mt-2.75 ${INKS[kind]}`}
				/>
			)}
			<div className="min-w-0 flex-1 py-2.25 wrap-anywhere">
				{message}
				{detail && <span className="figure text-xs text-muted block">{detail}</span>}
				{progress !== undefined && (
					<progress
						className="accent-primary mt-1.5 block h-1.5 w-full"
						aria-label={message}
						value={progress < 0 ? undefined : progress}
						max={1}
					/>
				)}
			</div>
			{/* The button opens an empty popover. CSS hides a toast with an open popover, so a real button works without a script. */}
			<button type="button" className="btn btn-ghost btn-square" {...{ popovertarget: 'toast-closed', popovertargetaction: 'show' }}>
				<Icon name="close" />
				<span className="sr-only">Close message</span>
			</button>
			<span id="toast-closed" {...{ popover: 'manual' }} />
		</div>
	)
}
