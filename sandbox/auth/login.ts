import { Hono } from 'hono'
import { z } from 'zod/v4'
import { LoginData, LoginRequest, RekycDetails, VerifiedUser } from '#contract/auth'
import { formatMoment } from '#contract/values/moments'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, NO_DATA, parseBody, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { readLastTradeDay } from '#sandbox/book/read-profile'
import { type Client } from '#sandbox/clients/clients'
import { sendMessages } from '#sandbox/messages/outbox'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { createLoginService } from './login-attempts'
import { openRekyc, REKYC_ITEMS, findRekycReason } from './rekyc'
import { revokeSession, openSession } from './sessions'

/** Login and logout, and the calls allowed for a dormant client. */
export function auth(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	const logins = createLoginService(parts)

	routes.post(
		'/v2/user/login',
		describeOperation({ id: 'login', summary: 'Log in', isPublic: true, body: LoginRequest, data: LoginData }),
		async (c) => {
			const { username, password } = await parseBody(c, LoginRequest)
			const client = await logins.admit(username, password)
			const { token, sessionId } = await openSession(parts, client.code)
			await sendMessages(parts, loginAlerts(client, parts))
			return sendData(c, 'Login successful', {
				authToken: token,
				token: sessionId,
				clientCode: client.code,
				userName: client.name,
				userId: client.code,
				sessionId,
				product: 'CONNECT',
				isDormate: client.isDormant,
			} satisfies z.input<typeof LoginData>)
		},
	)

	routes.get(
		'/v2/user/logout',
		describeOperation({ id: 'logout', summary: 'Log out', isOpenToDormant: true, query: Source, data: z.null() }),
		async (c) => {
			await revokeSession(parts, c.var.client.tokenHash)
			return sendData(c, 'Logged out', null)
		},
	)

	routes.get(
		'/v2/user/verify-user',
		describeOperation({ id: 'verifyUser', summary: 'Verify the session', isOpenToDormant: true, query: Source, data: VerifiedUser }),
		(c) => {
			const { code, name, isDormant } = c.var.client
			return sendData(c, 'User verified', { clientCode: code, userName: name, isDormate: isDormant } satisfies z.input<typeof VerifiedUser>)
		},
	)

	routes.get(
		'/v1/user/rekyc',
		describeOperation({ id: 'getRekycDetails', summary: 'Why re-KYC is needed', isOpenToDormant: true, query: Source, data: RekycDetails }),
		async (c) => {
			const { code, isDormant } = c.var.client
			if (!isDormant) throw new Refused(404, NO_DATA)
			const lastTraded = await readLastTradeDay(parts.books, code)
			return sendData(c, 'Re-KYC required', {
				reason: findRekycReason(lastTraded),
				last_traded_on: lastTraded,
				required: [...REKYC_ITEMS],
				rekyc_url: `${parts.settings.url ?? new URL(c.req.url).origin}/rekyc/${await openRekyc(parts, code)}`,
			} satisfies z.input<typeof RekycDetails>)
		},
	)
	return routes
}

function loginAlerts(client: Client, { clock, settings }: SandboxParts) {
	const now = clock.now()
	const body = `${settings.brokerName}: your account ${client.code} was signed in to at ${formatMoment(now)}. Not you? Reset your password at once.`
	const { email, mobile } = client.profile.personal_details
	return [
		{ client: client.code, channel: 'SMS' as const, recipient: mobile, subject: 'Login alert', body },
		{ client: client.code, channel: 'EMAIL' as const, recipient: email, subject: 'Login alert', body },
	]
}
