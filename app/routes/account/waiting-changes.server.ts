import { type ChangeRequest } from '#contract/modifications'
import { type Broker } from '~/broker/client.server'
import { now, tellDeadline } from '~/broker/clock.server'
import { listChangeRequests } from '~/broker/modifications.server'
import { loadSidePart } from '~/http/partial-data.server'
import { formatSlab } from '~/lib/income-slab'
import { showMasked } from '~/lib/masks'
import { signPath } from '~/lib/sign-pages'
import { clampText } from '~/reports/columns.server'
import { type ChangeKind } from './change-journey.server'
import { findWithdrawal } from './request-list.server'

/** A request that waits for the client's e-sign, in words, what a second request does, and the page where the client signs it. */
export type WaitingChange = { reference: string; words: string; value?: string; next?: string; sign: string; withdraw: string }

const ADDED: Partial<Record<ChangeKind, string>> = { bank: 'A new bank account', segments: 'A new segment' }

/** What a second request does, unless the page says it. A second account or segment is a separate request. */
const NEXT: Partial<Record<ChangeKind, string>> = {
	nominee: 'Sign or withdraw it before you ask for another change.',
}

/**
 * Returns the changes of this kind that wait for the client's e-sign, so that nobody asks for one twice. Empty also when the list of
 * requests is absent, late or failed: the form works without it.
 */
export async function listWaitingChanges(broker: Broker, kind: ChangeKind): Promise<WaitingChange[]> {
	const { data: changes = [] } = await loadSidePart(broker, listChangeRequests(broker))
	return chooseWaiting(changes, kind)
}

/** Returns the changes of this kind that wait for the client's e-sign. */
function chooseWaiting(changes: readonly ChangeRequest[], kind: ChangeKind): WaitingChange[] {
	return listUnsigned(changes)
		.filter((change) => change.kind === kind.toUpperCase())
		.map((change, _, { length }) => {
			const value = change.becomes && showMasked(clampText(formatSlab(change.becomes)))
			const added = ADDED[kind]
			const isShown = value && length === 1 && (kind === 'mobile' || kind === 'email')
			const what = added ? [added, value && `${value},`].filter(Boolean).join(', ') : value ? `A change to ${value}` : 'A change'
			return { ...sayAwaiting(change, isShown ? undefined : what), value: value || undefined, next: NEXT[kind] }
		})
}

/** Returns every request that waits for the client's e-sign, by the broker's name for it. */
export function listToSign(changes: readonly ChangeRequest[]): WaitingChange[] {
	return listUnsigned(changes).map((change) => {
		const { kind, title, becomes } = change
		const isContact = kind === 'MOBILE' || kind === 'EMAIL'
		const what = isContact && becomes ? `${title} to ${showMasked(clampText(becomes))}` : title
		return { ...sayAwaiting(change, what), next: 'Nothing changes until you sign it.' }
	})
}

const listUnsigned = (changes: readonly ChangeRequest[]) =>
	changes.filter(({ status, expires_at }) => status === 'WAITING' && (!expires_at || new Date(expires_at) > now()))

const formatUntil = ({ expires_at }: ChangeRequest) => (expires_at ? ` until ${tellDeadline(expires_at)}` : '')

/** Without `what` its page shows above what waits. */
function sayAwaiting(change: ChangeRequest, what: string | undefined) {
	const { reference } = change
	return {
		reference,
		words: `${what ? `${what} awaits` : 'Awaits'} your e-sign${formatUntil(change)}.`,
		sign: signPath(reference),
		withdraw: findWithdrawal(change),
	}
}
