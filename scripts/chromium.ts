import { existsSync } from 'node:fs'

/**
 * Debian's Chromium without a window. It draws the same pages with less work than the whole browser, which is used when this one is
 * missing.
 */
export const DEBIANS = '/usr/bin/chromium-headless-shell'
const WHOLE = '/usr/bin/chromium'

/**
 * How the tests, the bench and the pictures start Chromium: the program in CHROMIUM, else the one of Debian, else the one of Playwright.
 * Chromium contacts no servers of its maker.
 */
export const CHROMIUM = {
	executablePath: process.env.CHROMIUM || [DEBIANS, WHOLE].find((file) => existsSync(file)),
	args: [
		'--no-sandbox',
		'--disable-gpu',
		'--disable-quic',
		'--no-first-run',
		'--disable-background-networking',
		'--disable-component-update',
		'--disable-sync',
		// Without a window Chromium would move letters to whole pixels, in print too.
		'--font-render-hinting=none',
	],
}
