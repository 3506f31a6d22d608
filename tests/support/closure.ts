import { ORIGIN, type Visitor } from './portal'
import { readKeys } from './readers'

export const TRANSFER = '/myaccount/closure/transfer'

export const PDF = new File(['%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'], 'my own name.pdf', { type: 'application/pdf' })
const PNG = new File(
	[Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=', 'base64')],
	'sign.png',
	{
		type: 'image/png',
	},
)
const TARGET = { account_type: 'CDSL', cdsl_bo_id: '1300000000200815', nsdl_bo_id: '' }
const FILES = { client_master: PDF, signature: PNG }

/** Posts the transfer's form like a browser: fields, then files. */
export async function sendTransfer(visitor: Visitor, fields: Record<string, string> = {}, files: Record<string, File> = {}) {
	const { html } = await visitor.visit(TRANSFER)
	const form = new FormData()
	const all = { ...readKeys(html), ...TARGET, ...fields }
	for (const [name, value] of Object.entries(all)) form.set(name, value)
	for (const [name, file] of Object.entries({ ...FILES, ...files })) form.set(name, file)
	const request = new Request(ORIGIN, { method: 'POST', body: form })
	const headers = { 'content-type': request.headers.get('content-type') ?? '', origin: ORIGIN }
	return await visitor.send(TRANSFER, { method: 'POST', body: await request.arrayBuffer(), headers })
}
