"""A desktop's side of D-Bus: owns the names of its screen saver and prints each call as `METHOD ARGUMENT ...`.

`Inhibit` is answered with cookies from 1 on. Speaks by libdbus itself, which SDL speaks by, too.
"""

from __future__ import annotations

import ctypes

SESSION_BUS, METHOD_CALL = 0, 1
STRING, UINT32 = ord("s"), ord("u")
NAMES = (b"org.freedesktop.ScreenSaver", b"org.gnome.ScreenSaver")


def load() -> ctypes.CDLL:
    """libdbus, its functions declared."""
    bus, pointer = ctypes.CDLL("libdbus-1.so.3"), ctypes.c_void_p
    for name in ("dbus_bus_get", "dbus_connection_pop_message", "dbus_message_new_method_return"):
        getattr(bus, name).restype = pointer
    bus.dbus_bus_get.argtypes = [ctypes.c_int, pointer]
    bus.dbus_bus_request_name.argtypes = [pointer, ctypes.c_char_p, ctypes.c_uint, pointer]
    bus.dbus_connection_read_write.argtypes = [pointer, ctypes.c_int]
    bus.dbus_connection_pop_message.argtypes = [pointer]
    bus.dbus_connection_send.argtypes = [pointer, pointer, pointer]
    bus.dbus_connection_flush.argtypes = [pointer]
    bus.dbus_message_get_type.argtypes = [pointer]
    bus.dbus_message_get_member.restype = ctypes.c_char_p
    bus.dbus_message_get_member.argtypes = [pointer]
    bus.dbus_message_new_method_return.argtypes = [pointer]
    bus.dbus_message_unref.argtypes = [pointer]
    for name in ("init", "init_append"):
        getattr(bus, f"dbus_message_iter_{name}").argtypes = [pointer, pointer]
    for name in ("get_arg_type", "next"):
        getattr(bus, f"dbus_message_iter_{name}").argtypes = [pointer]
    bus.dbus_message_iter_get_basic.argtypes = [pointer, pointer]
    bus.dbus_message_iter_append_basic.argtypes = [pointer, ctypes.c_int, pointer]
    return bus


def arguments(bus: ctypes.CDLL, message: int) -> list[object]:
    """The strings and numbers that a message carries."""
    found: list[object] = []
    place = ctypes.create_string_buffer(256)
    if not bus.dbus_message_iter_init(message, place):
        return found
    while kind := bus.dbus_message_iter_get_arg_type(place):
        value = ctypes.c_char_p() if kind == STRING else ctypes.c_uint32()
        bus.dbus_message_iter_get_basic(place, ctypes.byref(value))
        found.append(value.value.decode() if kind == STRING else value.value)
        bus.dbus_message_iter_next(place)
    return found


def main() -> None:
    """Serves until it is killed or the bus ends."""
    bus = load()
    connection = bus.dbus_bus_get(SESSION_BUS, None)
    for name in NAMES:
        bus.dbus_bus_request_name(connection, name, 0, None)
    print("ready", flush=True)
    cookie = 0
    while bus.dbus_connection_read_write(connection, -1):
        while message := bus.dbus_connection_pop_message(connection):
            if bus.dbus_message_get_type(message) == METHOD_CALL:
                method = bus.dbus_message_get_member(message).decode()
                print(method, *arguments(bus, message), flush=True)
                answer = bus.dbus_message_new_method_return(message)
                if method == "Inhibit":
                    cookie += 1
                    place = ctypes.create_string_buffer(256)
                    bus.dbus_message_iter_init_append(answer, place)
                    bus.dbus_message_iter_append_basic(place, UINT32, ctypes.byref(ctypes.c_uint32(cookie)))
                bus.dbus_connection_send(connection, answer, None)
                bus.dbus_connection_flush(connection)
                bus.dbus_message_unref(answer)
            bus.dbus_message_unref(message)


if __name__ == "__main__":
    main()
