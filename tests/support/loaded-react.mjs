/* Loaded into a process before the portal (node --import). At its end it writes which versions of React were loaded. */
import { createRequire } from 'node:module'

const { cache } = createRequire(import.meta.url)
process.on('exit', () => {
	// Node also lists files whose exports it has only read.
	const files = Object.values(cache).filter(({ filename, loaded }) => loaded && /\/cjs\/react.*\.js$/.test(filename))
	process.stdout.write(`${JSON.stringify({ event: 'react', files: files.map(({ filename }) => filename.replace(/^.*\//, '')) })}\n`)
})
