#!/usr/bin/perl
# A small message centre over Net::SMPP: accepts binds, takes every message, prints it as one JSON object a line,
# and sends a delivery receipt for it. Numbers that end in 2 get a receipt that says UNDELIV.
use strict;
use warnings;
use JSON::PP;
use Net::SMPP;

$| = 1;
# It warns of every connection that ends.
$SIG{__WARN__} = sub { print STDERR @_ unless $_[0] =~ /premature eof/ };
my $listener = Net::SMPP->new_listen('127.0.0.1', port => 0, timeout => undef) or die "cannot listen: $!";
my $json = JSON::PP->new->canonical;
print $json->encode({ event => 'listening', port => $listener->sockport }), "\n";

my $next_id = 0x1a2b3c;

sub bind_response {
    my ($session, $pdu, $respond) = @_;
    # This peer knows one customer only.
    my $status = $pdu->{system_id} eq 'client' && $pdu->{password} eq 'secret' ? 0 : 0x0e;
    $session->$respond(system_id => 'net-smpp', seq => $pdu->{seq}, status => $status, sc_interface_version => "\x34");
    print $json->encode({ event => 'bind', system_id => $pdu->{system_id}, status => $status,
        interface_version => $pdu->{interface_version} }), "\n";
}

sub submitted {
    my ($session, $pdu) = @_;
    my $id = sprintf '%08X', $next_id++;
    $session->submit_sm_resp(message_id => $id, seq => $pdu->{seq});
    my $reference = $pdu->{user_message_reference};
    print $json->encode({
        event => 'submit', id => $id,
        (map { $_ => $pdu->{$_} } qw(source_addr source_addr_ton source_addr_npi destination_addr dest_addr_ton
            dest_addr_npi esm_class data_coding registered_delivery)),
        short_message => unpack('H*', $pdu->{short_message}),
        user_message_reference => defined $reference ? unpack('n', $reference) : undef,
    }), "\n";

    my $delivered = $pdu->{destination_addr} !~ /2$/;
    my ($stat, $state, $error) = $delivered ? ('DELIVRD', 2, 0) : ('UNDELIV', 5, 27);
    my $text = sprintf 'id:%s sub:001 dlvrd:%03d submit date:2611211200 done date:2611211201 stat:%s err:%03d text:',
        $id, $delivered, $stat, $error;
    $session->deliver_sm(
        source_addr_ton => 1, source_addr_npi => 1, source_addr => $pdu->{destination_addr},
        dest_addr_ton => $pdu->{source_addr_ton}, dest_addr_npi => $pdu->{source_addr_npi},
        destination_addr => $pdu->{source_addr},
        esm_class => 0x04, data_coding => 0, short_message => $text,
        receipted_message_id => "$id\0", message_state => chr($state),
        network_error_code => pack('Cn', 3, $error),
        (defined $reference ? (user_message_reference => $reference) : ()),
        async => 1,
    );
}

while (my $session = $listener->accept) {
    while (my $pdu = $session->read_pdu) {
        my $command = $pdu->{cmd};
        if    ($command == Net::SMPP::CMD_bind_transceiver) { bind_response($session, $pdu, 'bind_transceiver_resp') }
        elsif ($command == Net::SMPP::CMD_bind_transmitter) { bind_response($session, $pdu, 'bind_transmitter_resp') }
        elsif ($command == Net::SMPP::CMD_bind_receiver)    { bind_response($session, $pdu, 'bind_receiver_resp') }
        elsif ($command == Net::SMPP::CMD_submit_sm)        { submitted($session, $pdu) }
        elsif ($command == Net::SMPP::CMD_enquire_link)     { $session->enquire_link_resp(seq => $pdu->{seq}) }
        elsif ($command == Net::SMPP::CMD_deliver_sm_resp) {
            print $json->encode({ event => 'acknowledged', status => $pdu->{status} }), "\n";
        }
        elsif ($command == Net::SMPP::CMD_unbind) {
            $session->unbind_resp(seq => $pdu->{seq});
            print $json->encode({ event => 'unbind' }), "\n";
        }
    }
    close $session;
}
