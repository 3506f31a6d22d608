import { parse, serialize } from 'hono/utils/cookie'
import { currentYear, type FinancialYear, formatYear, parseYear } from '#contract/values/financial-year'
import { now } from '~/broker/clock.server'
import { cookieName, cookieOptions } from './sealed-cookie.server'

export type Theme = 'light' | 'dark' | 'system'

const YEAR_S = 365 * 24 * 3600
const THEME = cookieName('theme')
const YEAR = cookieName('year')

export function readTheme(request: Request): Theme {
	const theme = readCookie(request, THEME)
	return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Whether the menu was made narrow; a script of the page writes it (components/menu.tsx). */
export function readMenu(request: Request): boolean {
	return readCookie(request, 'menu') === 'narrow'
}

export function themeCookie(theme: Theme): string {
	return preference(THEME, theme, YEAR_S)
}

/** The year in the address, else the year chosen last, else the current one. An unknown year becomes the current one. */
export function readYear(request: Request): FinancialYear {
	const asked = new URL(request.url).searchParams.get('year')
	if (asked !== null) return parseYear(asked, now()) ?? currentYear(now())
	return parseYear(readCookie(request, YEAR), now()) ?? currentYear(now())
}

/** Stores the year of the address for other pages; undefined when there is nothing new to store. */
export function yearCookie(request: Request): string | undefined {
	const asked = new URL(request.url).searchParams.get('year')
	const year = parseYear(asked, now())
	if (year === undefined || readCookie(request, YEAR) === asked) return undefined
	return preference(YEAR, formatYear(year))
}

function preference(name: string, value: string, maxAge?: number): string {
	return serialize(name, value, { ...cookieOptions, maxAge })
}

function readCookie(request: Request, name: string): string | undefined {
	return parse(request.headers.get('cookie') ?? '', name)[name]
}
