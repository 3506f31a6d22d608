import { Empty } from './empty'
import { SubmitButton } from './form'
import { PostForm } from './post-form'

type Bank = {
	id: string
	/** Masked. */
	account: string
	bank: string
	branch: string
	ifsc: string
	micr: string
	type: string
	isDefault: boolean
}

const COLUMNS = ['Account', 'Bank', 'Branch', 'IFSC', 'MICR', 'Type', 'Default']

export function BankTable({ banks }: { banks: readonly Bank[] }) {
	return (
		<div className="scroll" role="region" aria-label="Table: Bank accounts" tabIndex={0}>
			<table className="report">
				<caption className="sr-only">Bank accounts</caption>
				<thead>
					<tr>
						{COLUMNS.map((column, at) => (
							<th key={column} scope="col" className={at === 0 ? 'held' : undefined}>
								{column}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{banks.map(({ id, account, bank, branch, ifsc, micr, type, isDefault }) => (
						<tr key={id}>
							<th scope="row" className="held">
								{account}
							</th>
							<td>{bank}</td>
							<td>{branch}</td>
							<td>{ifsc}</td>
							<td>{micr}</td>
							<td>{type}</td>
							<td>
								{isDefault ? (
									'Default'
								) : (
									<PostForm>
										<input type="hidden" name="intent" value="make_default" />
										<input type="hidden" name="bank" value={id} />
										<SubmitButton kind="link">
											Make default
											<span className="sr-only">
												: {bank} {account}
											</span>
										</SubmitButton>
									</PostForm>
								)}
							</td>
						</tr>
					))}
					{banks.length === 0 && (
						<tr>
							<td className="none" colSpan={COLUMNS.length}>
								<Empty text="No bank account is registered." />
							</td>
						</tr>
					)}
				</tbody>
			</table>
		</div>
	)
}
