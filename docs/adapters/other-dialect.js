/*
 * An example adapter. Its broker needs the token in `authorization`, has its own login and ledger calls with other field names,
 * writes days as 21/11/2026 and errors as { error: { text } }, and needs two calls for one call of the contract.
 */

/** Days of the contract (2026-11-21) and of this broker (21/11/2026). */
const toTheirDay = (day) => day.split('-').reverse().join('/')
const toOurDay = (day) => day.split('/').reverse().join('-')

/** The calls that differ at this broker, by method and path in the contract. All other calls are sent unchanged. */
const TRANSLATIONS = {
	'POST /v2/user/login': translateLogin,
	'GET /v2/service/reports/ledger': translateLedger,
	'GET /v2/dashboard/holding': joinHolding,
}

export default async function adapt(call, send) {
	const token = call.headers.get('auth-token') ?? call.headers.get('authToken')
	if (token) {
		call.headers.set('authorization', `Bearer ${token}`)
		call.headers.delete('auth-token')
		call.headers.delete('authToken')
	}
	const translate = TRANSLATIONS[`${call.method} ${call.path}`]
	return translate ? await translate(call, send) : await send(call)
}

async function translateLogin(call, send) {
	const { username, password } = JSON.parse(call.body)
	call.url.pathname = '/other/sessions'
	call.body = JSON.stringify({ loginId: username, secret: password })
	return await answer(await send(call), ({ accessToken, account }) => ({
		authToken: accessToken,
		token: accessToken,
		clientCode: account.id,
		userName: account.holder,
		userId: account.id,
		sessionId: account.id,
		product: 'CONNECT',
		isDormate: account.dormant === 'Y',
	}))
}

async function translateLedger(call, send) {
	call.url.pathname = '/other/ledger'
	for (const name of ['from_date', 'to_date']) {
		const day = call.url.searchParams.get(name)
		if (day) call.url.searchParams.set(name, toTheirDay(day))
	}
	return await answer(await send(call), ({ entries, totals }) => ({
		filtered_df: entries.map(({ dt, vch, kind, book, settlement, text, dr, cr, running, bill }) => ({
			VOUCHER_DATE: toOurDay(dt),
			VOUCHER_NO: vch,
			VOUCHER_TYPE: kind,
			COCD: book,
			SETL_NO: settlement,
			NARRATION: text,
			DR_AMT: dr,
			CR_AMT: cr,
			BALANCE: running,
			BILL_NO: bill,
		})),
		totals_df: [{ DR_AMT: totals.dr, CR_AMT: totals.cr, BALANCE: totals.net }],
	}))
}

async function joinHolding(call, send) {
	const at = (pathname) => {
		const url = new URL(call.url)
		url.pathname = pathname
		return send({ ...call, url })
	}
	const [value, cost] = await Promise.all([at('/other/valuation'), at('/other/cost')])
	if (!cost.ok) return await answer(cost)
	const { invested } = await cost.json()
	return await answer(value, ({ worth, move }) => ({ total_amount: worth, invested_amount: invested, day_change: move }))
}

/** A reply of the contract with the broker's status and headers. Its `date` header has the broker's day. */
async function answer(reply, read) {
	const json = await reply.json()
	const headers = new Headers(reply.headers)
	for (const name of ['content-type', 'content-length', 'content-encoding']) headers.delete(name)
	const { status } = reply
	if (reply.ok) return Response.json({ status: 'success', message: 'ok', data: read(json) }, { status, headers })
	return Response.json({ status: 'error', message: json.error?.text ?? 'The broker gave no reason.', data: null }, { status, headers })
}
