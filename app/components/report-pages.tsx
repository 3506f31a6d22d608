import { Form, useLocation, useSearchParams } from '@remix-run/react'
import { Fragment } from 'react'
import { FEW_ROWS, type Paging } from '~/lib/paging'
import { useDefaultValue } from './use-default-value'

const grouped = new Intl.NumberFormat('en-IN')

const WAYS = [
	{ way: 'first', label: 'First', sign: '«', rel: undefined },
	{ way: 'previous', label: 'Previous', sign: '‹', rel: 'prev' },
	{ way: 'next', label: 'Next', sign: '›', rel: 'next' },
	{ way: 'last', label: 'Last', sign: '»', rel: undefined },
] as const

const TOTAL = ' · Total covers all pages'

/** The position of the page in the rows, and links to the other pages. Nothing for a few rows. */
export function Pages({ from, to, total, page, pages, caption, hasTotal, ...addresses }: Paging & { caption: string; hasTotal?: boolean }) {
	if (total < FEW_ROWS && pages === 1) return null
	const rows = `${grouped.format(from)}–${grouped.format(to)} of ${grouped.format(total)}`
	// With more than two pages there are a field and four links. On a phone the links are signs, so that they fit in one row.
	const hasSigns = pages > 2
	const where = pages > 1 ? `Page ${grouped.format(page)} of ${grouped.format(pages)}` : ''
	return (
		<div className="text-muted mt-2 flex min-h-10 flex-wrap items-center justify-between gap-x-6 gap-y-1 text-sm print:min-h-0">
			{pages > 2 ? (
				<>
					<p className="max-md:order-last max-md:basis-full" aria-live="polite">
						{rows}
						{hasTotal && TOTAL}
					</p>
					<PageField page={page} pages={pages} caption={caption} />
				</>
			) : (
				<p aria-live="polite">
					{where ? `${rows} · ${where}` : rows}
					{hasTotal && where && TOTAL}
				</p>
			)}
			{pages > 1 && (
				<nav className="flex gap-1.5 print:hidden" aria-label={`Pages of ${caption}`}>
					{WAYS.map(({ way, label, sign, rel }) => {
						const to = addresses[way]
						return (
							to && (
								<Fragment key={way}>
									<a href={to} rel={rel} aria-label={label} className="btn px-3">
										<span className={hasSigns ? 'max-md:hidden' : undefined}>{label}</span>{' '}
										{hasSigns && (
											<span aria-hidden="true" className="md:hidden">
												{sign}
											</span>
										)}
									</a>{' '}
								</Fragment>
							)
						)
					})}
				</nav>
			)}
		</div>
	)
}

/** Goes to a page by its number; first and last have their links. */
function PageField({ page, pages, caption }: Pick<Paging, 'page' | 'pages'> & { caption: string }) {
	const { pathname } = useLocation()
	const [query] = useSearchParams()
	const field = useDefaultValue<HTMLInputElement>(String(page))
	return (
		<Form method="get" action={pathname} preventScrollReset className="mr-auto flex items-center gap-2 print:hidden">
			{[...query].map(([name, value]) => name !== 'page' && <input key={name + value} type="hidden" name={name} value={value} />)}
			<label className="flex items-center gap-2">
				<span className="max-md:hidden">Page</span>
				<input
					aria-label={`Page of ${caption}`}
					name="page"
					ref={field}
					defaultValue={page}
					inputMode="numeric"
					autoComplete="off"
					className="input h-9 w-16 text-center"
				/>
			</label>{' '}
			of {grouped.format(pages)}
			<button type="submit" className="btn px-3">
				Go
			</button>
		</Form>
	)
}
