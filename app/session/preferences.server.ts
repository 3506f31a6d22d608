import { parse } from 'hono/utils/cookie'
import { currentYear, type FinancialYear, formatYear, parseYear } from '#contract/values/financial-year'
import { now } from '~/broker/clock.server'
import { createPlainCookie } from './sealed-cookie.server'

export type Theme = 'light' | 'dark' | 'system'

const YEAR_S = 365 * 24 * 3600
const theme = createPlainCookie('theme', { maxAge: YEAR_S })
const year = createPlainCookie('year')
const stylesheet = createPlainCookie('stylesheet', { maxAge: YEAR_S })

export function readTheme(request: Request): Theme {
	const chosen = theme.read(request)
	return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

/** Whether the menu was made narrow; a script of the page writes it (components/menu.tsx). */
export function readMenu(request: Request): boolean {
	return parse(request.headers.get('cookie') ?? '').menu === 'narrow'
}

export function themeCookie(chosen: Theme): string {
	return theme.write(chosen)
}

/** Whether an earlier page told this browser to load the stylesheet of this address; if not, the cookie that remembers it. */
export function noteStylesheet(request: Request, address: string): { isLoaded: true } | { isLoaded: false; cookie: string } {
	const name = address.slice(address.lastIndexOf('/') + 1)
	return stylesheet.read(request) === name ? { isLoaded: true } : { isLoaded: false, cookie: stylesheet.write(name) }
}

/** The year in the address, else the year chosen last, else the current one. An unknown year becomes the current one. */
export function readYear(request: Request): FinancialYear {
	const asked = new URL(request.url).searchParams.get('year')
	if (asked !== null) return parseYear(asked, now()) ?? currentYear(now())
	return parseYear(year.read(request), now()) ?? currentYear(now())
}

/** The Set-Cookie that deletes the stored year. */
export const forgetYear = (): string => year.clear()

/** Stores the year of the address for other pages; undefined when there is nothing new to store. */
export function yearCookie(request: Request): string | undefined {
	const asked = new URL(request.url).searchParams.get('year')
	const chosen = parseYear(asked, now())
	if (chosen === undefined || year.read(request) === asked) return undefined
	return year.write(formatYear(chosen))
}
