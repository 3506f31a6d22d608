import { type ComponentProps, Fragment } from 'react'
import { SubmitButton } from '~/components/form'
import { ListTable } from '~/components/list-table'
import { PostForm } from '~/components/post-form'
import { Status } from '~/components/status'
import { Facts } from '~/components/facts'
import { DASH } from '~/lib/unknown'

export type Bank = {
	id: string
	/** Masked. */
	account: string
	bank: string
	branch: string
	ifsc: string
	micr: string
	type: string
	/** Null when the broker does not say. */
	isDefault: boolean | null
	/** False when the call lacks the MICR code, or does not take the number or the IFSC. */
	canBeDefault: boolean
}

/** On a phone the bank and the number are the first line of a card, with the number on the right. */
const NUMBER_BESIDE_BANK =
	'[&_td:nth-child(2)]:-order-1 @2xl:[&_:is(th,td)]:align-middle @max-2xl:[&_tbody_:is(th,td:nth-child(2))]:col-span-1! @max-2xl:[&_tbody_th]:text-right'

type Props = {
	banks: readonly Bank[]
	columns: ComponentProps<typeof ListTable>['columns']
	/** The note of what could not be read. */
	unread?: string
	/** Idempotency key for making an account the default. */
	idempotencyKey: string
}

export function BankTable({ banks, columns, unread, idempotencyKey }: Props) {
	return (
		<ListTable
			caption="Bank accounts"
			columns={columns}
			empty={{ text: 'No bank account is registered. Add one below, so that payouts can reach you.' }}
			unread={unread}
			isWholeOnPhone
			look={NUMBER_BESIDE_BANK}
			isCards
			rows={banks.map(({ id, account, bank, branch, ifsc, micr, type, isDefault, canBeDefault }) => ({
				id,
				cells: [
					account,
					<Fragment key="bank">
						<span className="@max-2xl:font-semibold">{bank}</span> {/* A phone shows the values of its hidden columns here. */}
						<span className="text-muted block text-sm @2xl:hidden">
							<Facts text={[type, branch].filter((each) => each !== DASH).join(' · ')} />{' '}
							<span className="block whitespace-nowrap">IFSC {ifsc}</span>{' '}
							{micr !== DASH && <span className="block whitespace-nowrap">MICR {micr}</span>}
						</span>
					</Fragment>,
					branch,
					ifsc,
					micr,
					type,
					isDefault ? (
						// As high as the button of the other rows.
						<span key="default" className="flex min-h-8 items-center @2xl:min-h-10">
							<Status kind="done" words="Default: gets payouts" />
						</span>
					) : !canBeDefault ? (
						<span key="ask" className="text-muted text-sm">
							{isDefault === null && `${DASH} `}Contact support to make it the default
						</span>
					) : (
						<PostForm key="make" idempotencyKey={idempotencyKey}>
							{isDefault === null && `${DASH} `}
							<input type="hidden" name="intent" value="make_default" />
							<input type="hidden" name="bank" value={id} />
							<SubmitButton kind="plain">
								Make default
								<span className="sr-only">
									: {bank} {account}
								</span>
							</SubmitButton>
						</PostForm>
					),
				],
			}))}
		/>
	)
}
