import { useNavigation } from '@remix-run/react'
import { type ReactNode } from 'react'
import { Footer } from './footer'
import { IdleNotice } from './idle-notice'
import { LimitNotice, type SessionLimit } from './limit-notice'
import { useLinkInterception } from './link-interception'
import { Menu } from './menu'
import { SkipLink } from './skip-link'
import { type ToastMessage, ToastRegion } from './toast'
import { TopBar, type TopBarProps } from './top-bar'

type Props = TopBarProps & {
	toast?: ToastMessage
	idleMs: number
	limit: SessionLimit
	isMenuNarrow: boolean
	/** The day for a printed page: `21/11/2026`. */
	printedOn?: string
	/** Shown over everything else, which is then unreachable by keyboard and mouse. */
	dialog?: ReactNode
	children: ReactNode
}

/** The frame of every page of a logged-in client. */
export function AppShell({ toast, idleMs, limit, isMenuNarrow, printedOn, dialog, children, ...bar }: Props) {
	const { brand, client } = bar
	useLinkInterception()
	const isBusy = useNavigation().state !== 'idle'
	return (
		<>
			{dialog}
			<div className="shell" {...(dialog ? { inert: '' } : {})}>
				<SkipLink />
				<TopBar {...bar} />
				<Menu brand={brand} isNarrow={isMenuNarrow} />
				<main id="main" tabIndex={-1} aria-busy={isBusy || undefined}>
					<p className="print-head">
						<b>{brand.name}</b>
						<span>
							{client.name} ({client.code})
						</span>
						{printedOn && <span>Printed on {printedOn}</span>}
					</p>
					<LimitNotice {...limit} />
					{children}
				</main>
				<Footer brand={brand} idleMs={idleMs} />
			</div>
			<ToastRegion toast={toast} isShell />
			<IdleNotice idleMs={idleMs} />
		</>
	)
}
