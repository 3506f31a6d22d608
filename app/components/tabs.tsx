import { useLocation } from '@remix-run/react'
import { createContext, Fragment, type ReactNode, useEffect, useRef } from 'react'

/**
 * A page with its own address; `also` are pages that belong to it. `current` decides where the path alone cannot: `true` is a page that
 * belongs to the tab.
 */
type Tab = { href: string; label: string; also?: readonly string[]; current?: 'page' | 'true' | false }

const TABS = 'border-line mb-6 flex overflow-x-auto scroll-px-20 border-b print:hidden'

/** Fades the edges behind which there are more tabs. The current tab is in view, so it tells which; at the end the style sheet does. */
const MASK = '[mask:linear-gradient(to_right,#0000,#000_var(--fade-start,0px),#000_calc(100%-var(--fade)),#0000)]'
const fadeEnds = (current: number, count: number) =>
	`${current > 1 ? 'max-sm:[--fade-start:24px]' : ''} ${current < count - 3 ? 'max-sm:[--fade:40px]' : ''}`

export const TabsContext = createContext<ReactNode>(null)

/** Gives the tabs of an area to the PageTitle of each page, which draws them below the h1. */
export function WithTabs({ tabs, children }: { tabs: ReactNode; children: ReactNode }) {
	return <TabsContext.Provider value={tabs}>{children}</TabsContext.Provider>
}

/** Links to the pages of one area. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
	const { pathname } = useLocation()
	const isAt = (href: string) => pathname === href || pathname.startsWith(`${href}/`)
	const findCurrent = ({ href, also, current }: Tab) =>
		current ?? ((also ? pathname === href || also.some(isAt) : isAt(href)) ? 'page' : false)
	const at = tabs.findIndex((tab) => findCurrent(tab))
	// On a phone the current tab may be outside the visible part.
	const nav = useRef<HTMLElement>(null)
	useEffect(() => {
		const current = nav.current?.querySelector('[aria-current]')
		// The tab before it stands whole at the edge.
		const first = current?.previousElementSibling ?? current
		if (nav.current && first instanceof HTMLElement) nav.current.scrollLeft = first.offsetLeft - nav.current.offsetLeft
	}, [pathname])
	return (
		<nav ref={nav} className={`${TABS} ${MASK} ${tabs.length > 5 ? fadeEnds(at, tabs.length) : ''}`} aria-label={label}>
			{tabs.map((tab) => (
				<Fragment key={tab.href}>
					<a href={tab.href} className="tab" aria-current={findCurrent(tab) || undefined}>
						{tab.label}
					</a>{' '}
				</Fragment>
			))}
		</nav>
	)
}
