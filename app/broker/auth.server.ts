import { z } from 'zod/v4'
import { LoginData, RekycDetails, VerifiedUser } from '#contract/auth'
import { type Broker } from './client.server'

export function login(broker: Broker, body: { username: string; password: string }) {
	return broker.post('/v2/user/login', LoginData, { body })
}

/** A GET with a side effect, by the broker's design. Call it from a POST only. */
export function logout(broker: Broker) {
	return broker.get('/v2/user/logout', z.unknown())
}

export function verifyUser(broker: Broker) {
	return broker.get('/v2/user/verify-user', VerifiedUser)
}

export function getRekycDetails(broker: Broker) {
	return broker.get('/v1/user/rekyc', RekycDetails)
}
