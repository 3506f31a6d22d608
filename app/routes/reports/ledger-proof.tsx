import { Banner } from '~/components/banner'

type Proof = {
	opening: string
	credits: string
	debits: string
	closing: string
	stated: string
	/** Undefined when the closing balances agree. */
	difference?: string
	/** The first row whose balance does not follow from the rows above. */
	wrong?: { voucher: string; day: string; stated: string; expected: string }
}

/** Says that the figures above the statement add up. It is printed too. */
export function ProofLine({ isRounded }: { isRounded?: boolean }) {
	return (
		<p className="text-muted mt-2 text-xs [:has(>p:last-child)+&]:-mt-2">
			<span aria-hidden="true">✓</span> Opening + credits − debits = closing, as the broker states it
			{isRounded && ', but for the rounding of parts of a paisa'}.
		</p>
	)
}

export function Mismatch({ proof }: { proof: Proof }) {
	return (
		<Banner kind="warning">
			<b>This ledger does not add up.</b>{' '}
			{proof.difference
				? `Opening ${proof.opening} + credits ${proof.credits} − debits ${proof.debits} makes ${proof.closing}; the broker states ${proof.stated}, a difference of ${proof.difference}. `
				: `Its closing balance agrees, but ${proof.wrong ? 'a balance above it does not. ' : 'the broker’s totals of debits and credits are not the sums of the entries.'}`}
			{proof.wrong &&
				`It starts on ${proof.wrong.day} at voucher ${proof.wrong.voucher}, where the broker’s balance is ${proof.wrong.stated} and ${proof.wrong.expected} follows from the rows above.`}
		</Banner>
	)
}
