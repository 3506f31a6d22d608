import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findMaxBytes } from '#server/body-limit'
import { PLACES } from '#tests/support/site-map'

/* Only the pages whose forms have files take large bodies. server/body-limit.ts repeats their addresses, because it runs before the pages. */

/** Every change of the account, and whether it can ask for a proof. */
const CHANGES = readFileSync('app/routes/account/change-definitions.server.ts', 'utf8')
	.split(" = defineChange('")
	.slice(1)
	.map((text) => ({ kind: text.slice(0, text.indexOf("'")), hasProof: /^\tproofs:/m.test(text) }))

const listPaths = (route: string, changes: typeof CHANGES) =>
	route.includes(':change') ? changes.map(({ kind }) => `/${route.replace(':change', kind)}`) : [`/${route}`]

test('every page with a file field takes an upload, and no other page does', () => {
	const pages = PLACES.filter(({ file }) => readFileSync(`app/${file}`, 'utf8').includes('withUploads('))
	const withFiles = pages
		.flatMap(({ route }) =>
			listPaths(
				route,
				CHANGES.filter(({ hasProof }) => hasProof),
			),
		)
		.sort()
	expect(withFiles).toEqual(['/myaccount/bank/otp', '/myaccount/closure/transfer', '/myaccount/income/otp', '/myaccount/segments/otp'])
	const isUpload = (path: string) => findMaxBytes(path, 'multipart/form-data; boundary=b') > findMaxBytes(path, 'text/plain')
	const all = PLACES.flatMap(({ route }) => listPaths(route, CHANGES))
	expect(all.filter(isUpload).sort()).toEqual(withFiles)
	expect(all.filter((path) => isUpload(`${path}.data`)).sort()).toEqual(withFiles)
})
