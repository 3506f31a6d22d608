import { Facts } from '~/components/facts'
import { Head } from '~/components/report-heads'
import { TableFrame } from '~/components/table-frame'

export type InterestMonth = {
	label: string
	figure: string
	/** What the two columns say that a phone has no room for. */
	note: string
	posted: string
	voucher: string
	/** The entry in the ledger. */
	href?: string
}

const WIDE = 'max-sm:hidden'

/** The interest of each month, and when the ledger was debited with it. */
export function InterestMonths({ months, total }: { months: readonly InterestMonth[]; total: string }) {
	return (
		<TableFrame
			caption="Interest by month"
			look="report fits"
			heads={['Month', 'Posted on', 'Voucher', 'Interest'].map((head) => {
				const isFigure = head === 'Interest'
				return (
					<th
						key={head}
						scope="col"
						className={isFigure ? 'figure' : head === 'Month' ? undefined : WIDE}
						align={isFigure ? 'right' : 'left'}
					>
						<Head label={head} unit={isFigure ? '₹' : undefined} />
					</th>
				)
			})}
			rows={months.map(({ label, figure, note, posted, voucher, href }) => (
				<tr key={label}>
					<th scope="row" align="left" className="whitespace-normal!">
						{href ? <a href={href}>{label}</a> : label}
						<span className="text-muted block text-xs sm:hidden">
							{' '}
							<Facts text={note} />
						</span>
					</th>
					<td className={WIDE}>{posted}</td>
					<td className={WIDE}>{voucher}</td>
					<td className="figure" align="right">
						{figure}
					</td>
				</tr>
			))}
			foot={
				<>
					<th scope="row" align="left">
						Total
					</th>
					{['posted', 'voucher'].map((key) => (
						<td key={key} className={WIDE}>
							{''}
						</td>
					))}
					<td className="figure" align="right">
						{total}
					</td>
				</>
			}
		/>
	)
}
