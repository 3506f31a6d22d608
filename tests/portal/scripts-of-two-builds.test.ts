import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createPortal } from '#server/portal'
import { loadPortal } from '#tests/support/built-portal'
import { Visitor } from '#tests/support/portal'
import { settings } from '~/config/env.server'

test('a running portal serves a script of another build once it is copied beside its own', async () => {
	const folder = mkdtempSync(path.join(os.tmpdir(), 'khata-assets-'))
	mkdirSync(path.join(folder, 'assets'))
	const clientFiles = path.relative('.', folder)
	const visitor = new Visitor(createPortal({ settings, build: await loadPortal(), log: pino({ enabled: false }), clientFiles }))
	const ask = async () => {
		const { status, headers } = await visitor.send('/assets/page-Xq7Lw2Zr.js')
		return [status, headers.get('cache-control')]
	}
	expect(await ask()).toEqual([404, 'no-store'])
	writeFileSync(path.join(folder, 'assets/page-Xq7Lw2Zr.js'), 'export {}')
	expect(await ask()).toEqual([200, 'public, max-age=31536000, immutable'])
})
