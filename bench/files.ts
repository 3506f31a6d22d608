import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { BUNDLE } from '#scripts/bundle'
import { type Figure, median } from './figures'

const ROWS = '10000'
const TURNS = 5
/** Debian's, whose packages they are. */
const PYTHON = '/usr/bin/python3'
const OURS = '.cache/write-file.mjs'
const THEIRS = { xlsx: 'xlsxwriter', pdf: 'reportlab' } as const

/**
 * Measures a ledger of 10,000 rows as a workbook and as PDF, compared with Python's xlsxwriter and reportlab: whole processes, from start
 * to end, in turns. Without these packages (`apt-get install python3-xlsxwriter python3-reportlab`) only our own time.
 */
export async function measureFiles(): Promise<Figure[]> {
	await build({ ...BUNDLE, entryPoints: ['bench/write-file.ts'], outfile: OURS })
	const folder = mkdtempSync(path.join(tmpdir(), 'bench-files-'))
	try {
		return Object.entries(THEIRS).flatMap(([format, library]) => measureFormat(folder, format, library))
	} finally {
		rmSync(folder, { recursive: true })
	}
}

function measureFormat(folder: string, format: string, library: string): Figure[] {
	const isThere = spawnSync(PYTHON, ['-c', `import ${library}`]).status === 0
	const out = (who: string) => path.join(folder, `${who}.${format}`)
	const turns = Array.from({ length: TURNS }, () => ({
		start: time('node', [OURS, format, '0', out('ours')]),
		ours: time('node', [OURS, format, ROWS, out('ours')]),
		theirs: isThere ? time(PYTHON, ['bench/write-file.py', format, ROWS, out('theirs')]) : NaN,
	}))
	const ours = median(turns.map((turn) => turn.ours))
	const start = median(turns.map((turn) => turn.start))
	const kb = (who: string) => (statSync(out(who)).size / 1024).toFixed(0)
	const what = `A ledger of ${ROWS} rows as ${format}, whole process`
	const size = `${kb('ours')} KB; ${start.toFixed(2)} s without rows`
	if (!isThere) return [{ what, value: ours, unit: 's', note: `${size}; ${library} is not installed` }]
	const theirs = median(turns.map((turn) => turn.theirs))
	return [
		{ what, value: ours, unit: 's', note: `${size}; ${library} ${theirs.toFixed(2)} s, ${kb('theirs')} KB` },
		{ what: `${what}: ratio to ${library}`, value: median(turns.map((turn) => turn.ours / turn.theirs)), unit: '' },
	]
}

function time(program: string, words: string[]): number {
	const started = performance.now()
	execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, SESSION_SECRET: 'x'.repeat(32) } })
	return (performance.now() - started) / 1000
}
