import { existsSync } from 'node:fs'

const DEBIAN = '/usr/bin/chromium'

/** How tests, the bench and the pictures start Chromium: Debian's or that of CHROMIUM, else Playwright's own; nothing that calls home. */
export const CHROMIUM = {
	executablePath: process.env.CHROMIUM || (existsSync(DEBIAN) ? DEBIAN : undefined),
	args: [
		'--no-sandbox',
		'--disable-gpu',
		'--disable-quic',
		'--no-first-run',
		'--disable-background-networking',
		'--disable-component-update',
		'--disable-sync',
	],
}
