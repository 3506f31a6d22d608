import { useLocation, useMatches } from '@remix-run/react'
import { type ComponentProps, type FocusEvent, useEffect, useRef } from 'react'
import { REPORT_TITLES } from '~/lib/report-titles'
import { Logo } from './brand'
import { Icon, type IconName } from './icon'
import { ThemeControl } from './theme-control'
import { type Brand } from './use-root'

type Entry = { href: string; label: string; icon: IconName; place?: 'page' }

const HEAD = 'text-muted mt-5 mb-1 px-3 text-xs lg:first-of-type:mt-1'

type MenuProps = {
	brand: Brand
	theme: ComponentProps<typeof ThemeControl>['theme']
	isNarrow: boolean
	/** The chosen financial year, unless it is the current one. Links to figures of a year name it, so that Back finds it again. */
	pastYear?: string
}

/**
 * One element for both layouts: beside the page when there is room, else a popover. The popover needs no script: it opens, does not trap
 * the focus, and closes by Escape or a click outside. Beside a long page it stays in sight.
 */
export function Menu({ brand, theme, isNarrow, pastYear }: MenuProps) {
	const { key } = useLocation()
	const pathname = usePlace()
	const menu = useRef<HTMLElement>(null)
	const findPlace = (href: string) => (pathname === href || pathname.startsWith(`${href}/`) ? 'page' : undefined)
	const ofYear = pastYear ? `?year=${pastYear}` : ''
	const shownAt = useRef(key)
	useEffect(() => {
		// Leaves the menu open when the scripts start: the first press on a page both opens the menu and starts them.
		if (shownAt.current !== key && menu.current?.matches(':popover-open')) menu.current.hidePopover()
		shownAt.current = key
	}, [key])
	return (
		<nav id="menu" className="side" aria-label="Main" ref={menu} onBlur={closeBehind} {...{ popover: 'auto' }}>
			<div>
				<div className="flex items-center justify-between lg:hidden">
					<Logo brand={brand} />{' '}
					<button type="button" className="btn btn-ghost btn-square size-11" {...{ popovertarget: 'menu', popovertargetaction: 'hide' }}>
						<Icon name="close" />
						<span className="sr-only">Close menu</span>
					</button>
				</div>
				<p id="menu-home" className={HEAD}>
					Home
				</p>
				<ul aria-labelledby="menu-home">
					<li>
						{/* The dashboard has two addresses. */}
						<a
							href={`/dashboard${ofYear}`}
							className="entry"
							aria-current={pathname === '/' || pathname === '/dashboard' ? 'page' : undefined}
						>
							<Icon name="home" />
							Dashboard
						</a>
					</li>
				</ul>
				<p id="menu-pages" className={HEAD}>
					Pages
				</p>
				<ul aria-labelledby="menu-pages">
					<Item href="/myaccount" label="My Account" icon="person" place={findPlace('/myaccount')} />
					<Item href="/funds" label="Funds" icon="rupee" place={findPlace('/funds')} />
					<Reports findPlace={findPlace} ofYear={ofYear} />
				</ul>
				<p id="menu-other" className={HEAD}>
					Other
				</p>
				<ul aria-labelledby="menu-other">
					<Item href="/dpprocess" label="DP Process" icon="vault" place={findPlace('/dpprocess')} />
					<Item href="/connect/ipo" label="IPO" icon="rise" place={findPlace('/connect/ipo')} />
					<Item href="/connect/mtf" label="MTF" icon="layers" place={findPlace('/connect/mtf')} />
				</ul>
				{/* On a wide screen the header has this control. */}
				<div className="px-3 pt-5 lg:hidden">
					<ThemeControl theme={theme} />
				</div>
				<label className="hover:bg-base-200 text-muted mt-6 hidden min-h-10 cursor-pointer items-center gap-3 rounded px-3 py-1.5 text-xs lg:flex">
					<input id="menu-narrow" type="checkbox" defaultChecked={isNarrow} onChange={({ target }) => remember(target.checked)} /> Narrow
					menu
				</label>
			</div>
		</nav>
	)
}

/** Closes the opened menu when the Tab key leaves it for the page, which it covers. */
function closeBehind({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
	if (!currentTarget.matches(':popover-open') || !(relatedTarget instanceof Element) || currentTarget.contains(relatedTarget)) return
	// Its own button closes it by itself.
	if (relatedTarget.getAttribute('popovertarget') !== 'menu') currentTarget.hidePopover()
}

/** Returns the address whose menu entry is current. A page outside every area gives the address of its area in `handle.area`. */
function usePlace(): string {
	const { pathname } = useLocation()
	const last = useMatches().at(-1)
	return (last?.handle as { area?: (loaded: unknown) => string | undefined } | undefined)?.area?.(last?.data) ?? pathname
}

/** Keeps the choice in a cookie for a year. The cookie identifies nobody, and the server only reads it. */
function remember(isNarrow: boolean) {
	document.cookie = `menu=${isNarrow ? 'narrow' : 'wide'}; path=/; max-age=31536000; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`
}

function Item({ href, label, icon, place }: Entry) {
	return (
		<li>
			<a href={href} className="entry" aria-current={place}>
				<Icon name={icon} />
				{label}
			</a>
		</li>
	)
}

function Reports({ findPlace, ofYear }: { findPlace: (href: string) => Entry['place']; ofYear: string }) {
	return (
		<li>
			<details open>
				<summary className="entry">
					<Icon name="report" />
					Reports
				</summary>
				<ul className="border-line mt-0.5 mb-1.5 ml-5 border-l pl-2.5">
					{Object.entries(REPORT_TITLES).map(([name, title]) => (
						<li key={name}>
							<a href={`/reports/${name}${ofYear}`} className="entry" aria-current={findPlace(`/reports/${name}`)}>
								{title}
							</a>
						</li>
					))}
				</ul>
			</details>
		</li>
	)
}
