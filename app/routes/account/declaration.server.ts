import { type ChangeRequest } from '#contract/modifications'
import { type Broker } from '~/broker/client.server'
import { downloadChangeForm, listChangeRequests } from '~/broker/modifications.server'
import { SIDE_CALL_MS, withTimeout } from '~/lib/with-timeout'

/** Returns the last finished change of income; undefined when the broker lists none. */
export const findDeclaration = (changes: readonly ChangeRequest[]) =>
	changes.find(({ kind, status }) => kind === 'INCOME' && status === 'DONE')

/**
 * Returns true when the broker sends the declaration of the last income change again. It must answer within three seconds. Any failure
 * counts as false: the change is made, and the caller still has the file.
 */
export function keepsDeclaration(broker: Broker): Promise<boolean> {
	const ask = async () => {
		const last = findDeclaration(await listChangeRequests(broker))
		if (!last) return false
		const file = await downloadChangeForm(broker, last.reference)
		await file.cancel()
		return true
	}
	return withTimeout(ask(), SIDE_CALL_MS).catch(() => false)
}
