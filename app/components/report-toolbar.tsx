import { Form, useSearchParams } from '@remix-run/react'
import { Fragment, type ReactNode } from 'react'
import { FieldFrame, Filters, useFieldLook } from './field-frame'
import { FILES } from './page-title'

type Props = {
	action: string
	/** The search text; without it there is no search field. */
	search?: string
	files?: ReactNode
	/** Links to periods that are often chosen. */
	presets?: readonly { label: string; href: string; isCurrent: boolean }[]
	/** Many filters, which a phone shows behind a box; those that are wrong are shown. */
	folds?: boolean
	isOpen?: boolean
	children?: ReactNode
}

/** Filters on the left, downloads on the right; below the filters where there are links to periods too. */
export function ReportToolbar({ action, search, files, presets, folds = false, isOpen = false, children }: Props) {
	const [query] = useSearchParams()
	return (
		<Toolbar files={files}>
			{(children || search !== undefined) && (
				<Form
					method="get"
					action={action}
					preventScrollReset
					className={`flex min-w-[min(100%,24rem)] flex-1 flex-wrap items-start gap-3 ${presets ? 'basis-full' : ''}`}
				>
					{query.get('columns') === 'all' && <input type="hidden" name="columns" value="all" />}
					{folds ? (
						<>
							<label className="flex min-h-10 basis-full items-center gap-2 md:hidden">
								<input type="checkbox" className="peer" defaultChecked={isOpen} aria-controls="filters" /> Filters
							</label>
							<div
								id="filters"
								className="flex max-md:[:not(:has([aria-controls=filters]:checked))>&]:hidden flex-wrap items-start gap-3 md:contents"
							>
								{children}
							</div>
						</>
					) : (
						children
					)}
					{search !== undefined && <SearchField search={search} />}
					<button type="submit" className={APPLY}>
						Apply
					</button>
				</Form>
			)}
			{presets && (
				<nav aria-label="Periods" className="flex flex-wrap gap-x-5 text-sm">
					{presets.map(({ label, href, isCurrent }) => (
						<Fragment key={label}>
							<a href={href} data-keep-scroll aria-current={isCurrent || undefined} className="py-2 aria-[current]:font-semibold">
								{label}
							</a>{' '}
						</Fragment>
					))}
				</nav>
			)}
		</Toolbar>
	)
}

/** What stands above a table: fields on the left, downloads on the right. */
export function Toolbar({ files, children }: { files?: ReactNode; children: ReactNode }) {
	return (
		<div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 print:hidden">
			<Filters>{children}</Filters>
			{files && <div className={`${FILES} ml-auto`}>{files}</div>}
		</div>
	)
}

export function SearchField({ search }: { search: string }) {
	const look = useFieldLook()
	return (
		<FieldFrame id="q" label="Search">
			<input id="q" type="search" name="q" defaultValue={search} key={search} maxLength={100} className={`${look.input} w-52`} />
		</FieldFrame>
	)
}

/** A button beside fields: it stands level with them, as it has no label above it. */
export const APPLY = 'btn mt-5.5'
