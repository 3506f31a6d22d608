import { ClosureDetails, type ClosureScope, ClosureTasks, type Depository } from '#contract/closure'
import { NoContent } from '#contract/common'
import { EsignResponse } from '#contract/esign'
import { type Broker } from './client.server'
import { listFields, type FormFile } from './form-body.server'
import { type ReadOptions } from './requests.server'

/** Assets and debts of the account before it is closed. */
export function getClosureDetails(broker: Broker, options: ReadOptions = {}) {
	return broker.postToRead('/v1/acc-closing-details', ClosureDetails, { body: { client_code: broker.clientCode }, ...options })
}

/** Ours: the tasks to do first, the securities that a transfer moves, and the current request. */
export function listClosureTasks(broker: Broker, options: ReadOptions = {}) {
	return broker.get('/v1/ours/closure-tasks', ClosureTasks, options)
}

type Asked = { reason: string; clouser_for: ClosureScope; idempotencyKey: string }

/** Returns the e-sign response. Nothing is closed before the e-sign. Refused with 409 while a request is pending. */
export function esignClosure(broker: Broker, { reason, clouser_for, idempotencyKey }: Asked) {
	const body = { client_code: broker.clientCode, reason, clouser_for }
	return broker.post('/v1/acc-closing-esign-proccess', EsignResponse, { body, idempotencyKey })
}

type Transfer = Asked & { account_type: Depository; bo_id: string; files: readonly FormFile[] }

/** The same, with the holdings sent to another account. `files` are the client master and the signature. */
export function esignClosureWithTransfer(broker: Broker, { reason, clouser_for, account_type, bo_id, files, idempotencyKey }: Transfer) {
	const fields = listFields({
		client_code: broker.clientCode,
		reason,
		clouser_for,
		account_type,
		cdsl_bo_id: account_type === 'CDSL' ? bo_id : '',
		nsdl_bo_id: account_type === 'NSDL' ? bo_id : '',
	})
	async function* form() {
		yield* fields
		yield* files
	}
	const query = { close_in: account_type }
	return broker.post('/v1/acc-closing-with-transfer-esign-proccess', EsignResponse, { query, form: form(), idempotencyKey })
}

/** Ours: withdraws a request that is not processed yet. Refused with 409 when it does not have the `status` given. */
export function withdrawClosure(
	broker: Broker,
	{ idempotencyKey, ...body }: { reference: string; status?: 'WAITING'; idempotencyKey: string },
) {
	return broker.post('/v1/ours/withdraw-closure', NoContent, { body, idempotencyKey })
}
