import { useLocation } from '@remix-run/react'
import { createContext, Fragment, type ReactNode, useEffect, useRef } from 'react'

/** A page with its own address; `also` are pages that belong to it. */
type Tab = { href: string; label: string; also?: readonly string[] }

export const TABS = 'border-line mb-6 flex overflow-x-auto scroll-px-12 border-b print:hidden'

export const TabsContext = createContext<ReactNode>(null)

/** Gives the tabs of an area to the PageTitle of each page, which draws them below the h1. */
export function WithTabs({ tabs, children }: { tabs: ReactNode; children: ReactNode }) {
	return <TabsContext.Provider value={tabs}>{children}</TabsContext.Provider>
}

/** Links to the pages of one area. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
	const { pathname } = useLocation()
	const isAt = (href: string) => pathname === href || pathname.startsWith(`${href}/`)
	// On a phone the current tab may be outside the visible part.
	const nav = useRef<HTMLElement>(null)
	useEffect(() => {
		const current = nav.current?.querySelector<HTMLElement>('[aria-current]')
		if (nav.current && current) nav.current.scrollLeft = current.offsetLeft - nav.current.offsetLeft - 48
	}, [pathname])
	return (
		<nav ref={nav} className={TABS} aria-label={label}>
			{tabs.map(({ href, label, also }) => (
				<Fragment key={href}>
					<a href={href} className="tab" aria-current={(also ? pathname === href || also.some(isAt) : isAt(href)) ? 'page' : undefined}>
						{label}
					</a>{' '}
				</Fragment>
			))}
		</nav>
	)
}
