import { type ReactNode } from 'react'
import { Empty } from './empty'
import { type FieldState } from './form'
import { Icon } from './icon'

type Props = {
	caption: string
	columns: readonly { label: string; align?: 'right'; isHidden?: boolean }[]
	/** The cell at `nameAt` names the row. */
	nameAt: number
	rows: readonly { id: string; cells: readonly ReactNode[] }[]
	foot?: readonly ReactNode[]
	empty: { text: string; action?: { href: string; label: string } }
}

/** A table whose rows are filled in: part of a form, so everything is on one page. */
export function FormTable({ caption, columns, nameAt, rows, foot, empty }: Props) {
	const looks = columns.map(({ align }, index) => (align === 'right' ? 'figure' : index === nameAt ? 'held long' : undefined))
	return (
		<div className="scroll" role="region" aria-label={`Table: ${caption}`} tabIndex={0}>
			<table className="report filled-in">
				<caption className="sr-only">{caption}</caption>
				<thead>
					<tr>
						{columns.map(({ label, align, isHidden }, index) => (
							<th key={label} scope="col" className={looks[index]} align={align ?? 'left'}>
								{isHidden ? <span className="sr-only">{label}</span> : label}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map(({ id, cells }) => (
						<tr key={id}>
							{cells.map((cell, index) =>
								index === nameAt ? (
									<th key={index} scope="row" className={looks[index]} align="left">
										{cell}
									</th>
								) : (
									<td key={index} className={looks[index]} align={columns[index]?.align}>
										{cell}
									</td>
								),
							)}
						</tr>
					))}
					{rows.length === 0 && (
						<tr>
							<td className="none" colSpan={columns.length}>
								<Empty {...empty} />
							</td>
						</tr>
					)}
				</tbody>
				{foot && rows.length > 0 && (
					<tfoot>
						<tr>
							{foot.map((cell, index) =>
								index === nameAt ? (
									<th key={index} scope="row" className={looks[index]} align="left">
										{cell}
									</th>
								) : (
									<td key={index} className={looks[index]} align={columns[index]?.align}>
										{cell}
									</td>
								),
							)}
						</tr>
					</tfoot>
				)}
			</table>
		</div>
	)
}

/** The quantity of one row, which says what is wrong with it under itself. */
export function QuantityCell({ field, of, max }: { field: FieldState; of: string; max: number }) {
	const { id, name, errors, defaultValue } = field
	const isWrong = Boolean(errors?.length)
	return (
		<>
			<label htmlFor={id} className="sr-only">
				Quantity: {of}
			</label>
			<input
				id={id}
				name={name}
				className="input width-4"
				inputMode="numeric"
				autoComplete="off"
				maxLength={12}
				disabled={max === 0}
				defaultValue={typeof defaultValue === 'string' ? defaultValue : undefined}
				aria-invalid={isWrong || undefined}
				aria-describedby={isWrong ? `${id}-error` : undefined}
			/>
			{isWrong && (
				<p id={`${id}-error`} className="error">
					<Icon name="alert" />
					<span>{errors?.join(' ')}</span>
				</p>
			)}
		</>
	)
}
