import { type ReactNode } from 'react'
import { Icon } from './icon'
import { type ToastKind } from './toast'

const TONES = {
	default: 'tone-info',
	loading: 'tone-info',
	info: 'tone-info',
	success: 'tone-success',
	warning: 'tone-warning',
	error: 'tone-error',
} as const

/** A message above the page's content, for what is too long for a toast. */
export function Banner({ kind = 'info', children }: { kind?: ToastKind; children: ReactNode }) {
	return (
		<div className={`banner ${TONES[kind]}`} role={kind === 'error' ? 'alert' : kind === 'success' ? 'status' : 'note'}>
			<Icon name={kind === 'success' ? 'done' : kind === 'warning' || kind === 'error' ? 'alert' : 'info'} />
			<div>{children}</div>
		</div>
	)
}
