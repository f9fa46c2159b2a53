const fields =
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), select, textarea, [role=combobox], [contenteditable]:not([contenteditable=false])'

/** Whether the target of a key accepts text or a choice. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(fields) !== null
