; The installer for Windows: for one user, without an administrator. windows_downloads.py starts makensis and defines
; what is not defined here; SIGN only where there is a certificate.
;
; Not run on Windows. Compiled with NSIS 3.08; installing, upgrading, closing what is open and removing were tried with
; Wine 8, silently and by hand.
;
; setup.exe /S          installs without a question; exit code 2: specchat is open, 3: this Windows is too old
; setup.exe /S /D=C:\X  the same, into that folder (last, and without quotes)
; uninstall.exe /S      removes it; chats, settings and models stay

Unicode true
SetCompressor /SOLID lzma
SetCompressorDictSize 64
RequestExecutionLevel user
ManifestDPIAware true
AllowSkipFiles off
ShowInstDetails nevershow
ShowUninstDetails nevershow

!include "LogicLib.nsh"
!include "MUI2.nsh"
!include "Sections.nsh"
!include "WinVer.nsh"
!include "x64.nsh"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\specchat"
!define MODEL_TYPE "Software\Classes\specchat.gguf"
!define MODEL_ENDING "Software\Classes\.gguf"
!define OLDEST_BUILD 17763 ; Windows 10 1809: Qt 6.11 needs it
!define ASSOCIATIONS_CHANGED 0x08000000

Name "specchat"
OutFile "${OUTPUT}"
BrandingText "specchat ${VERSION}"
InstallDir "$LOCALAPPDATA\Programs\specchat"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
!ifdef SIGN
  !uninstfinalize '${SIGN} "%1"' = 0
!endif

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${PICTURE}"
!define MUI_ABORTWARNING
!define MUI_COMPONENTSPAGE_NODESC
!define MUI_FINISHPAGE_RUN "$INSTDIR\specchat.exe"
!define MUI_UNCONFIRMPAGE_TEXT_TOP "$(chats_stay)"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

VIProductVersion "${NUMBERS}"
VIFileVersion "${NUMBERS}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "ProductName" "specchat"
VIAddVersionKey /LANG=${LANG_ENGLISH} "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "FileDescription" "specchat ${VERSION} setup"
VIAddVersionKey /LANG=${LANG_ENGLISH} "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "CompanyName" "${PUBLISHER}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "LegalCopyright" "${COPYRIGHT}"

LangString needs_windows ${LANG_ENGLISH} "specchat needs 64-bit Windows 10, version 1809, or newer."
LangString needs_windows ${LANG_GERMAN} "specchat braucht ein 64-Bit-Windows 10, Version 1809, oder neuer."
LangString is_open ${LANG_ENGLISH} "specchat is open.$\r$\n$\r$\nClose it and continue? The current answer stops, and the text so far is kept."
LangString is_open ${LANG_GERMAN} "specchat ist offen.$\r$\n$\r$\nSchließen und fortfahren? Die laufende Antwort bricht ab; der Text bis dahin bleibt erhalten."
LangString chats_stay ${LANG_ENGLISH} "specchat will be removed from the folder below. Your chats, settings and models stay."
LangString chats_stay ${LANG_GERMAN} "specchat wird aus dem Ordner unten entfernt. Ihre Chats, Einstellungen und Modelle bleiben."
LangString desktop_shortcut ${LANG_ENGLISH} "Shortcut on the desktop"
LangString desktop_shortcut ${LANG_GERMAN} "Verknüpfung auf dem Desktop"
LangString open_with ${LANG_ENGLISH} "Add specchat to $\"Open with$\" for GGUF models"
LangString open_with ${LANG_GERMAN} "specchat unter „Öffnen mit“ für GGUF-Modelle anbieten"
LangString gguf_model ${LANG_ENGLISH} "GGUF model"
LangString gguf_model ${LANG_GERMAN} "GGUF-Modell"

!macro FindOpen FILE
  ${If} ${FileExists} "$INSTDIR\${FILE}"
    ClearErrors
    FileOpen $1 "$INSTDIR\${FILE}" a ; Windows lets nobody write to a program that runs
    ${If} ${Errors}
      StrCpy $0 "open"
    ${Else}
      FileClose $1
    ${EndIf}
  ${EndIf}
!macroend

!macro Closing UN
  Function ${UN}FindOpen
    StrCpy $0 ""
    !insertmacro FindOpen "specchat.exe"
    !insertmacro FindOpen "specchat-cli.exe"
  FunctionEnd

  Function ${UN}Close
    Call ${UN}FindOpen
    ${While} $0 == "open"
      ${If} ${Cmd} `MessageBox MB_OKCANCEL|MB_ICONEXCLAMATION "$(is_open)" /SD IDCANCEL IDCANCEL`
        SetErrorLevel 2
        Quit
      ${EndIf}
      nsExec::Exec '"$SYSDIR\taskkill.exe" /IM specchat.exe' ; as the cross of its window does, not by force
      Pop $1
      ${For} $2 1 40
        Sleep 250
        Call ${UN}FindOpen
        ${If} $0 != "open"
          ${ExitFor}
        ${EndIf}
      ${Next}
    ${EndWhile}
  FunctionEnd
!macroend
!insertmacro Closing ""
!insertmacro Closing "un."

!macro TellTheDesktop
  System::Call 'shell32::SHChangeNotify(i ${ASSOCIATIONS_CHANGED}, i 0, p 0, p 0)'
!macroend

Section "specchat"
  SectionIn RO
  Call Close
  ${If} ${FileExists} "$INSTDIR\specchat.exe"
    RMDir /r "$INSTDIR\_internal" ; an older version's, which may have more in it
  ${EndIf}
  SetOutPath "$INSTDIR"
  File /r "${PROGRAM}\*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\specchat.lnk" "$INSTDIR\specchat.exe"

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "specchat"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\specchat.exe,0"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "${PUBLISHER}"
  WriteRegStr HKCU "${UNINSTALL}" "URLInfoAbout" "https://github.com/specchat/specchat"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

Section /o "$(desktop_shortcut)"
  CreateShortcut "$DESKTOP\specchat.lnk" "$INSTDIR\specchat.exe"
SectionEnd

; Which program opens these files by default is not for us to change.
Section "$(open_with)" OPEN_WITH
  WriteRegStr HKCU "${MODEL_TYPE}" "" "$(gguf_model)"
  WriteRegStr HKCU "${MODEL_TYPE}\DefaultIcon" "" "$INSTDIR\specchat.exe,0"
  WriteRegStr HKCU "${MODEL_TYPE}\shell\open\command" "" '"$INSTDIR\specchat.exe" "%1"'
  WriteRegNone HKCU "${MODEL_ENDING}\OpenWithProgids" "specchat.gguf"
  !insertmacro TellTheDesktop
SectionEnd

Function .onInit
  ${IfNot} ${RunningX64}
  ${OrIfNot} ${AtLeastBuild} ${OLDEST_BUILD}
    MessageBox MB_OK|MB_ICONSTOP "$(needs_windows)" /SD IDOK
    SetErrorLevel 3
    Quit
  ${EndIf}
  ReadRegStr $0 HKCU "${UNINSTALL}" "DisplayVersion"
  ReadRegStr $1 HKCU "${MODEL_TYPE}" ""
  ${If} $0 != ""
  ${AndIf} $1 == "" ; refused when it was installed
    !insertmacro UnselectSection ${OPEN_WITH}
  ${EndIf}
FunctionEnd

Section "Uninstall"
  ${IfNot} ${FileExists} "$INSTDIR\specchat.exe"
    Abort
  ${EndIf}
  Call un.Close
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\specchat.exe"
  Delete "$INSTDIR\specchat-cli.exe"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR" ; stays with whatever else is in it
  Delete "$SMPROGRAMS\specchat.lnk"
  Delete "$DESKTOP\specchat.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "${MODEL_TYPE}"
  DeleteRegValue HKCU "${MODEL_ENDING}\OpenWithProgids" "specchat.gguf"
  DeleteRegKey /ifnosubkeys /ifnovalues HKCU "${MODEL_ENDING}\OpenWithProgids"
  DeleteRegKey /ifnosubkeys /ifnovalues HKCU "${MODEL_ENDING}"
  !insertmacro TellTheDesktop
SectionEnd
