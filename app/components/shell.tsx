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
	client: { since: number }
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

/** On a phone a toast is as wide as the page, so one that stays gets room above the heading, until it is closed. */
const ROOM_FOR_TOAST = 'max-sm:[&:not(:has(+*_#toast-closed:popover-open))>main]:pt-32'

/** The frame of every page of a logged-in client. */
export function AppShell({ toast, idleMs, limit, isMenuNarrow, printedOn, dialog, children, ...bar }: Props) {
	const { brand, client } = bar
	useLinkInterception()
	const isBusy = useNavigation().state !== 'idle'
	const isLasting = toast?.kind === 'error' || toast?.kind === 'warning'
	return (
		<>
			{dialog}
			<div
				className={`shell has-[#menu-narrow:checked]:[--menu:120px] grid min-h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto] [--menu:260px] lg:grid-cols-[var(--menu)_minmax(0,1fr)] print:block ${isLasting ? ROOM_FOR_TOAST : ''}`}
				{...(dialog ? { inert: '' } : {})}
			>
				<SkipLink /> <TopBar {...bar} />
				<Menu brand={brand} theme={bar.theme} isNarrow={isMenuNarrow} pastYear={bar.year === bar.years[0] ? undefined : bar.year} />
				<main
					id="main"
					className="has-[.many]:max-w-416 w-full max-w-312 [--bleed:16px] sm:[--bleed:0px] px-4 pt-6 pb-12 lg:px-6 lg:pt-7 min-[90rem]:px-8 print:block print:max-w-none print:p-0"
					tabIndex={-1}
					aria-busy={isBusy || undefined}
				>
					<p className="print-head mb-3 hidden justify-between gap-6 border-b pb-1.5 print:flex">
						<b>{brand.name}</b>{' '}
						<span>
							{client.name} ({client.code})
						</span>{' '}
						{printedOn && <span>Printed on {printedOn}</span>}
					</p>
					<LimitNotice {...limit} />
					{children}
				</main>
				<Footer brand={brand} idleMs={idleMs} />
			</div>
			<ToastRegion toast={toast} isShell />
			<IdleNotice idleMs={idleMs} client={client} />
		</>
	)
}
