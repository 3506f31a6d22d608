import { type ReactNode } from 'react'

/** A frame around content that belongs together. */
export function Box({ children }: { children: ReactNode }) {
	return <div className={BOX}>{children}</div>
}

/** Classes of a frame. It is not printed: a table of several pages would cut it, and the heading is enough on paper. */
export const BOX =
	'rounded-box border-line bg-base-100 mb-4 min-w-0 border px-(--bleed) pt-4 pb-5 [--bleed:12px] [--foot:20px] sm:[--bleed:20px] [.scroll+&]:mt-4 [form+&]:mt-8 *:last:mb-0 print:mb-8 print:border-0 print:p-0 print:[--bleed:0px]'

/** Related fields of a form in a frame. */
export function FieldGroup({ legend, children }: { legend: string; children: ReactNode }) {
	return (
		<fieldset className="border-line mb-4 border-t pt-4">
			<legend className="pr-1.5 font-semibold">{legend}</legend>
			{children}
		</fieldset>
	)
}
