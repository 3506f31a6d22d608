import { type ReactNode } from 'react'
import { type ToastKind } from '~/lib/toast-kind'
import { Icon } from './icon'

const TONES = {
	default: 'alert-info',
	loading: 'alert-info',
	info: 'alert-info',
	success: 'alert-success',
	warning: 'alert-warning',
	error: 'alert-error',
} as const
const ROLES: Partial<Record<ToastKind, string>> = { error: 'alert', success: 'status' }

type Props = {
	kind?: ToastKind
	role?: string
	/** The button that does what the message asks for. It stands at the right, on a phone below the message. */
	action?: ReactNode
	children: ReactNode
}

/** A message above the content of a page, for a text that is too long for a toast. */
export function Banner({ kind = 'info', role = ROLES[kind] ?? 'note', action, children }: Props) {
	return (
		<div
			className={`alert alert-soft ${TONES[kind]} bg-[color-mix(in_oklab,var(--alert-color),var(--notice))] my-4 items-start gap-3 max-sm:my-3 max-sm:gap-2 max-sm:px-3 text-[length:inherit]/6`}
			role={role}
		>
			<Icon
				name={kind === 'success' ? 'done' : kind === 'warning' || kind === 'error' ? 'alert' : 'info'}
				className={action ? 'mt-0.75 sm:mt-2.75' : 'mt-0.75'}
			/>
			<div className={`text-base-content ${action ? 'flex w-full flex-wrap items-center justify-between gap-x-8 gap-y-2' : ''}`}>
				<div className={`max-w-[58ch] space-y-1.5 wrap-anywhere ${action ? 'flex-[1_1_18rem] sm:py-2' : ''}`}>{children}</div>
				{action && <div className="flex flex-wrap items-center gap-x-3 gap-y-1">{action}</div>}
			</div>
		</div>
	)
}
