import { Banner } from '~/components/banner'

type Proof = {
	opening: string
	credits: string
	debits: string
	closing: string
	stated: string
	difference: string
	/** The first row whose balance does not follow from the rows above. */
	wrong?: { voucher: string; day: string; stated: string; expected: string }
}

/** The line that shows that the statement adds up. It is printed too. */
export function ProofLine({ proof }: { proof: Proof }) {
	return (
		<p className="text-muted mt-3 text-sm">
			Opening <b className="figure text-base-content font-normal">{proof.opening}</b> + credits{' '}
			<b className="figure text-base-content font-normal">{proof.credits}</b> − debits{' '}
			<b className="figure text-base-content font-normal">{proof.debits}</b> = closing{' '}
			<b className="figure text-base-content font-normal">{proof.closing}</b>, as the broker states it. <span aria-hidden="true">✓</span>
		</p>
	)
}

export function Mismatch({ proof }: { proof: Proof }) {
	return (
		<Banner kind="warning">
			<b>This ledger does not add up.</b> Opening {proof.opening} + credits {proof.credits} − debits {proof.debits} makes {proof.closing};
			the broker states {proof.stated}, a difference of {proof.difference}.{' '}
			{proof.wrong &&
				`It starts on ${proof.wrong.day} at voucher ${proof.wrong.voucher}, where the broker’s balance is ${proof.wrong.stated} and ${proof.wrong.expected} follows from the rows above.`}
		</Banner>
	)
}
